import { texts } from './language.svelte'

export const LEVELS = [1, 2, 3, 4, 5] as const
export type Level = (typeof LEVELS)[number]

/**
 * The levels of the computer, for choosing one. At a table the server names the seats; its
 * catalogue has the same words.
 */
export const levelNames = texts({
  en: { 1: 'First steps', 2: 'Easy', 3: 'Skilled', 4: 'Strong', 5: 'Master' },
  de: { 1: 'Erste Schritte', 2: 'Leicht', 3: 'Geübt', 4: 'Stark', 5: 'Meisterlich' },
})
