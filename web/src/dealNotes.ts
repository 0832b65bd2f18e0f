/** Notes made on sitting down and during the game, with which the deal can be checked when the game is over. */
import { load, save } from './storage'

const KEY = 'mandala-shares'
const MAX_TABLES = 200

/** The commitment as the server gave it then, the player's random parts of the deal, and takebacks. */
export interface DealNote {
  commitment: string
  shares: string[]
  seen?: number // the last event received; missing in older notes
  takebacks?: number[] // the events by which moves were taken back
}
type DealNotes = [table: string, note: DealNote][]

/** The note about a table, or null. */
export function dealNote(table: string): DealNote | null {
  return load<DealNotes>(KEY, []).find(([id]) => id === table)?.[1] ?? null
}

/** Add a share to a table's note; the first commitment stays, and the oldest notes are deleted. */
export function noteShare(table: string, commitment: string, share: string): void {
  const before = dealNote(table) ?? { commitment, shares: [] }
  const note: DealNote = { ...before, shares: [...before.shares, share] }
  saveNote(table, note)
}

/** Note events of a table at which the player sat down, once each, in the order received. */
export function noteEvents(table: string, events: { number: number; kind: string }[]): void {
  const before = dealNote(table)
  const added = events.filter(({ number }) => number > (before?.seen ?? 0))
  if (before === null || added.length === 0) return
  const taken = added.filter(({ kind }) => kind === 'taken-back').map(({ number }) => number)
  const takebacks = [...(before.takebacks ?? []), ...taken]
  saveNote(table, { ...before, seen: Math.max(...added.map(({ number }) => number)), takebacks })
}

function saveNote(table: string, note: DealNote): void {
  const others = load<DealNotes>(KEY, []).filter(([id]) => id !== table)
  save(KEY, [...others, [table, note] as const].slice(-MAX_TABLES))
}
