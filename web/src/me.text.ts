import { texts } from './text/language.svelte'

/** The parts of a guest's first name: "Amber Heron". */
export const guestWords = texts({
  en: {
    first: 'Amber Silver Golden Coral Misty Sandy Azure Velvet Copper Ivory Mellow Quiet',
    second: 'Heron Otter Lynx Finch Badger Robin Hare Swift Fox Owl Wren Marten',
    join: (first: string, second: string) => `${first} ${second}`,
  },
  de: {
    first: 'Bernstein Silber Gold Korallen Nebel Sand Azur Samt Kupfer Mond Morgen Wiesen',
    second: 'reiher otter luchs fink dachs hase fuchs falke igel marder specht biber',
    join: (first: string, second: string) => `${first}${second}`,
  },
})
