/** Notes made on sitting down, with which the deal can be checked when the game is over. */
import { load, save } from './storage'

const KEY = 'mandala-shares'
const MAX_TABLES = 200

/** The commitment as the server gave it then, and the player's random parts of the deal. */
export interface DealNote {
  commitment: string
  shares: string[]
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
  const others = load<DealNotes>(KEY, []).filter(([id]) => id !== table)
  save(KEY, [...others, [table, note] as const].slice(-MAX_TABLES))
}
