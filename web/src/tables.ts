/** Opening tables, and notes that this browser keeps about them. */
import { api } from './api/client'
import type { NewSeat } from './api/types'
import { findGame } from './boards/games'
import { choices, CLOCKS, saveChoices } from './choices.svelte'
import { ensurePlayer } from './me.svelte'
import { navigate } from './router.svelte'
import { load, save } from './storage'

export type TableMode = 'bots' | 'friends' | 'passing' | 'watching'

const KEY = 'mandala-tables'
const MAX_NOTES = 60

/** What only this browser knows: the keys of a table's open seats, the seats that share the device. */
interface TableNote {
  keys?: Record<string, string>
  passing?: number[]
}

type Notes = [id: string, note: TableNote][]

/** The note about a table; empty where there is none. */
export function tableNote(id: string): TableNote {
  return load<Notes>(KEY, []).find(([each]) => each === id)?.[1] ?? {}
}

/** Save a note about a table; the oldest notes are deleted. */
export function saveTableNote(id: string, note: TableNote): void {
  const others = load<Notes>(KEY, []).filter(([each]) => each !== id)
  save(KEY, [...others, [id, note] as const].slice(-MAX_NOTES))
}

/** The number of seats chosen for a game, or its default. */
function seatsOf(game: string): number {
  const seats = findGame(game)?.seats ?? [2]
  return seats.includes(choices.seats) ? choices.seats : seats[0]!
}

function seatRequests(mode: TableMode, game: string): NewSeat[] {
  const bot: NewSeat = { kind: 'bot', name: `search:${choices.level[game] ?? 1}` }
  const me: NewSeat = { kind: 'me' }
  const others: Record<TableMode, NewSeat> = {
    bots: bot,
    friends: { kind: 'open' },
    passing: me,
    watching: bot,
  }
  const first = mode === 'watching' ? bot : me
  return [first, ...Array.from({ length: seatsOf(game) - 1 }, () => others[mode])]
}

/** Open a table with the player's choices, and navigate to it. */
export async function openTable(mode: TableMode, game: string): Promise<void> {
  saveChoices()
  await ensurePlayer()
  const isForPeople = mode === 'friends' || mode === 'bots'
  const { state, keys } = await api.open({
    game,
    seats: seatRequests(mode, game),
    clock: isForPeople ? CLOCKS[choices.clock] : CLOCKS.none,
    listed: mode === 'watching',
  })
  if (mode === 'friends') saveTableNote(state.id, { keys })
  if (mode === 'passing') saveTableNote(state.id, { passing: state.seats.map((seat) => seat.seat) })
  navigate(`/t/${state.id}`)
}
