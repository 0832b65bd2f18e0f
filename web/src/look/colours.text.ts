import { texts } from '../text/language.svelte'

/** The names of the colours. */
export const colourNames = texts({
  en: {
    r: 'red',
    o: 'orange',
    y: 'yellow',
    g: 'green',
    v: 'violet',
    k: 'black',
    '?': 'hidden',
  },
  de: {
    r: 'Rot',
    o: 'Orange',
    y: 'Gelb',
    g: 'Grün',
    v: 'Violett',
    k: 'Schwarz',
    '?': 'verdeckt',
  },
})
