/** Opening tables, and what this browser remembers of the ones it opened. */
import { api } from './api/client'
import type { SeatWish } from './api/types'
import { findGame } from './boards/games'
import { choices, CLOCKS, rememberChoices } from './choices.svelte'
import { somebody } from './me.svelte'
import { go } from './router.svelte'
import { keep, kept } from './storage'

export type Way = 'bots' | 'friends' | 'passing' | 'watching'

const NOTES = 'mandala-tables'
const MOST_NOTES = 60

/** What only this browser knows of a table: the keys of its open seats, the seats that share it. */
export interface Note {
  keys?: Record<string, string>
  passing?: number[]
}

type Notes = [id: string, note: Note][]

/** What is remembered of a table. */
export function noteOf(id: string): Note {
  return kept<Notes>(NOTES, []).find(([each]) => each === id)?.[1] ?? {}
}

/** Remember something of a table; the oldest is forgotten. */
export function keepNote(id: string, note: Note): void {
  const others = kept<Notes>(NOTES, []).filter(([each]) => each !== id)
  keep(NOTES, [...others, [id, note] as const].slice(-MOST_NOTES))
}

/** How many seats a game is played with, as chosen. */
function seatsOf(game: string): number {
  const seats = findGame(game)?.seats ?? [2]
  return seats.includes(choices.seats) ? choices.seats : seats[0]!
}

function wishes(way: Way, game: string): SeatWish[] {
  const bot: SeatWish = { kind: 'bot', name: `search:${choices.level[game] ?? 1}` }
  const me: SeatWish = { kind: 'me' }
  const others: Record<Way, SeatWish> = {
    bots: bot,
    friends: { kind: 'open' },
    passing: me,
    watching: bot,
  }
  const first = way === 'watching' ? bot : me
  return [first, ...Array.from({ length: seatsOf(game) - 1 }, () => others[way])]
}

/** Open a table as chosen, and go there. */
export async function openTable(way: Way, game: string): Promise<void> {
  rememberChoices()
  await somebody()
  const isForPeople = way === 'friends' || way === 'bots'
  const { state, keys } = await api.open({
    game,
    seats: wishes(way, game),
    clock: isForPeople ? CLOCKS[choices.clock] : CLOCKS.none,
    listed: way === 'watching',
  })
  if (way === 'friends') keepNote(state.id, { keys })
  if (way === 'passing') keepNote(state.id, { passing: state.seats.map((seat) => seat.seat) })
  go(`/t/${state.id}`)
}
