/** The player's choices for a new table, remembered for the next one. */
import { GAMES } from './boards/games'
import { load, save } from './storage'
import { LEVELS, type Level } from './text/players.text'

export type ClockName = 'none' | 'ten' | 'thirty' | 'days'

interface Choices {
  level: Record<string, Level>
  seats: number // in games that can be played with more than two
  clock: ClockName
}

const KEY = 'mandala-choices'
const MAX_SEATS = Math.max(...GAMES.flatMap((game) => game.seats))

/** The clocks to choose from, as the server wants them. */
export const CLOCKS = {
  none: { kind: 'none' },
  ten: { kind: 'game', seconds: 600, increment: 5 },
  thirty: { kind: 'game', seconds: 1800, increment: 10 },
  days: { kind: 'move', seconds: 3 * 86_400 },
} as const

export const choices: Choices = $state(validated(load<Partial<Choices>>(KEY, {})))

/** Saved choices, limited to what can be chosen now. */
function validated({ level = {}, seats = 2, clock = 'none' }: Partial<Choices>): Choices {
  const levels = Object.entries(level).map(([game, each]) => {
    return [game, clamp(each, LEVELS[0], LEVELS.at(-1)!) as Level]
  })
  return {
    level: Object.fromEntries(levels) as Choices['level'],
    seats: clamp(seats, 2, MAX_SEATS),
    clock: clock in CLOCKS ? clock : 'none',
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Math.round(value) || min))
}

/** Save the current choices. */
export function saveChoices(): void {
  save(KEY, choices)
}
