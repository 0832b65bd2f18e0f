/** How somebody likes to play, remembered for the next time. */
import { GAMES } from './boards/games'
import { keep, kept } from './storage'
import { LEVELS, type Level } from './text/players.text'

export type ClockName = 'none' | 'ten' | 'thirty' | 'days'

interface Choices {
  level: Record<string, Level>
  seats: number // in games that can be played with more than two
  clock: ClockName
}

const KEY = 'mandala-choices'
const MAX_SEATS = Math.max(...GAMES.flatMap((game) => game.seats))

/** What a choice of clock means to the server. */
export const CLOCKS = {
  none: { kind: 'none' },
  ten: { kind: 'game', seconds: 600, increment: 5 },
  thirty: { kind: 'game', seconds: 1800, increment: 10 },
  days: { kind: 'move', seconds: 3 * 86_400 },
} as const

export const choices: Choices = $state(offered(kept<Partial<Choices>>(KEY, {})))

/** What was chosen once, as far as it is still on offer. */
function offered({ level = {}, seats = 2, clock = 'none' }: Partial<Choices>): Choices {
  const levels = Object.entries(level).map(([game, each]) => {
    return [game, within(each, LEVELS[0], LEVELS.at(-1)!) as Level]
  })
  return {
    level: Object.fromEntries(levels) as Choices['level'],
    seats: within(seats, 2, MAX_SEATS),
    clock: clock in CLOCKS ? clock : 'none',
  }
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(value) || least))
}

/** Remember the choices of the moment. */
export function rememberChoices(): void {
  keep(KEY, choices)
}
