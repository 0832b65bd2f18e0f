import { stacks, type Face } from '../look/colours'
import { colourNames } from '../look/colours.text'
import { texts } from '../text/language.svelte'

/** How cards and seats are called on every board. */
export const words = texts({
  en: {
    r: 'red',
    o: 'orange',
    y: 'yellow',
    g: 'green',
    v: 'violet',
    k: 'black',
    '?': 'hidden',
    card: (count: number): string => (count === 1 ? 'card' : 'cards'),
    none: 'empty',
    and: 'and',
    you: 'You',
    seat: (seat: number) => `Seat ${seat}`,
  },
  de: {
    r: 'rote',
    o: 'orange',
    y: 'gelbe',
    g: 'grüne',
    v: 'violette',
    k: 'schwarze',
    '?': 'verdeckte',
    card: (count: number): string => (count === 1 ? 'Karte' : 'Karten'),
    none: 'leer',
    and: 'und',
    you: 'Du',
    seat: (seat: number) => `Platz ${seat}`,
  },
})

/** `3 red`: cards of one colour, without the noun. */
export const some = (colour: Face, count: number): string => `${count} ${words[colour]}`

/** `3 × red`: the same where it bends with nothing. */
export const times = (colour: Face, count: number): string => `${count} × ${colourNames[colour]}`

/** `3 red cards`. */
export const cards = (colour: Face, count: number): string =>
  `${some(colour, count)} ${words.card(count)}`

/** `2 red, 1 black`: what lies somewhere, as the server counts it. */
export function listed(counts: readonly number[]): string {
  const parts = stacks(counts).map(({ colour, count }) => some(colour, count))
  return parts.length > 0 ? parts.join(', ') : words.none
}

/** Colours by their letters, `red, black`. */
export const colours = (letters: string): string =>
  [...letters].map((letter) => words[letter as Face]).join(', ')

export const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0)
