import { stacks, type Face } from '../look/colours'
import { colourAdjectives, colourNames } from '../look/colours.text'
import { texts } from '../text/language.svelte'

/** Texts for cards and seats on every board. */
export const words = texts({
  en: {
    card: (count: number): string => (count === 1 ? 'card' : 'cards'),
    none: 'empty',
    you: 'You',
  },
  de: {
    card: (count: number): string => (count === 1 ? 'Karte' : 'Karten'),
    none: 'leer',
    you: 'Du',
  },
})

/** `3 red`: cards of one colour without the noun. */
export const shortCards = (colour: Face, count: number): string => `${count} ${colourAdjectives[colour]}`

/** `3 × red`: the same with the name of the colour. */
export const countTimes = (colour: Face, count: number): string => `${count} × ${colourNames[colour]}`

/** `3 red cards`. */
export const cards = (colour: Face, count: number): string =>
  `${shortCards(colour, count)} ${words.card(count)}`

/** `2 red, 1 black`: cards given as counts by colour. */
export function cardList(counts: readonly number[]): string {
  const parts = stacks(counts).map(({ colour, count }) => shortCards(colour, count))
  return parts.length > 0 ? parts.join(', ') : words.none
}

/** `red, black`: colours given as letters. */
export const colourList = (letters: string): string =>
  [...letters].map((letter) => colourAdjectives[letter as Face]).join(', ')

export const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0)
