/** Helpers for the point lines of games. */
import type { Colour } from '../look/colours'
import { texts } from '../text/language.svelte'
import type { PointLine } from './contract'

const words = texts({
  en: { empty: (place: number) => `place ${place} is empty` },
  de: { empty: (place: number) => `Stelle ${place} ist leer` },
})

const BLANK = { colour: null, flower: [], tiles: [], isEmpty: false }

/** A line about cards or tiles of one colour, or without any. */
export function line(text: string, sum: string, points: number, colour: Colour | null = null): PointLine {
  return { ...BLANK, colour, sum, points, text }
}

/** The line of a place without cards or tiles, from 1. */
export function emptyLine(place: number): PointLine {
  return { ...line(words.empty(place), '–', 0), isEmpty: true }
}
