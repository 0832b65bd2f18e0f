import { texts } from '../text/language.svelte'

const ENGLISH = {
  r: 'red',
  o: 'orange',
  y: 'yellow',
  g: 'green',
  v: 'violet',
  k: 'black',
  '?': 'hidden',
}

/** The names of the colours. */
export const colourNames = texts({
  en: ENGLISH,
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

/** The colours as adjectives before a noun such as “cards”. */
export const colourAdjectives = texts({
  en: ENGLISH,
  de: {
    r: 'rote',
    o: 'orange',
    y: 'gelbe',
    g: 'grüne',
    v: 'violette',
    k: 'schwarze',
    '?': 'verdeckte',
  },
})
