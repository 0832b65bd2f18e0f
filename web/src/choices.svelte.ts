/** How somebody likes to play, remembered for the next time. */
import { keep, kept } from './storage'
import type { Level } from './text/players.text'

export type ClockName = 'none' | 'ten' | 'thirty' | 'days'

export interface Choices {
  level: Record<string, Level>
  seats: number // in Flowers
  clock: ClockName
}

const KEY = 'mandala-choices'

export const choices: Choices = $state({ level: {}, seats: 2, clock: 'none', ...kept(KEY, {}) })

/** Remember the choices of the moment. */
export function rememberChoices(): void {
  keep(KEY, choices)
}

/** What a choice of clock means to the server. */
export const CLOCKS = {
  none: { kind: 'none' },
  ten: { kind: 'game', seconds: 600, increment: 5 },
  thirty: { kind: 'game', seconds: 1800, increment: 10 },
  days: { kind: 'move', seconds: 3 * 86_400 },
} as const
