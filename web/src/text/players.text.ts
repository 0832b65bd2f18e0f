import type { SeatState } from '../api/types'
import { texts } from './language.svelte'

export const LEVELS = [1, 2, 3, 4, 5] as const
export type Level = (typeof LEVELS)[number]

/** What the computer's levels are called, and seats without a name of their own. */
export const playerWords = texts({
  en: {
    'search:1': 'First steps',
    'search:2': 'Easy',
    'search:3': 'Skilled',
    'search:4': 'Strong',
    'search:5': 'Master',
    greedy: 'Magpie',
    random: 'Dice',
    open: 'Open seat',
    you: 'You',
    player: (seat: number) => `Player ${seat}`,
    deleted: 'Somebody',
  },
  de: {
    'search:1': 'Erste Schritte',
    'search:2': 'Leicht',
    'search:3': 'Geübt',
    'search:4': 'Stark',
    'search:5': 'Meisterlich',
    greedy: 'Elster',
    random: 'Würfel',
    open: 'Freier Platz',
    you: 'Du',
    player: (seat: number) => `Person ${seat}`,
    deleted: 'Jemand',
  },
})

const BOTS = ['greedy', 'random', ...LEVELS.map((level) => `search:${level}` as const)] as const
type BotName = (typeof BOTS)[number]

/** What a bot is called on the page. */
export function botName(name: string): string {
  return BOTS.includes(name as BotName) ? playerWords[name as BotName] : name
}

/** Who sits on a seat, by name; seats that share a device are told apart by their number. */
export function seatName(seat: SeatState, own: readonly number[] = []): string {
  if (seat.kind === 'open') return playerWords.open
  if (seat.kind === 'bot') return botName(seat.name)
  if (own.length > 1 && own.includes(seat.seat)) return playerWords.player(seat.seat)
  return seat.name || playerWords.deleted
}

/** The seats with the names that people read; of several alike, each has its number. */
export function named(seats: readonly SeatState[], own: readonly number[]): SeatState[] {
  const names = seats.map((seat) => seatName(seat, own))
  return seats.map((seat, index) => {
    const name = names[index]!
    const isAlone = names.filter((each) => each === name).length === 1
    if (isAlone) return { ...seat, name }
    return { ...seat, name: seat.kind === 'bot' ? `Bot ${seat.seat}` : `${name} ${seat.seat}` }
  })
}

/**
 * A sentence of the server, which knows seats by their number and bots by their level, with the
 * names that people read. A seat that somebody sits down on stays a seat.
 */
export function withNames(sentence: string, seats: readonly SeatState[]): string {
  return sentence
    .replace(/\b(?<!\b(?:on|auf) )(?:seat|Platz) ([1-4])\b/gi, (whole: string, number: string) => {
      return seats[Number(number) - 1]?.name ?? whole
    })
    .replace(/\b(?:search:\d|greedy|random)(?!\w)/g, botName)
}
