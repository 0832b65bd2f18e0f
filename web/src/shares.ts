/** What this browser noted when somebody sat down, to check the deal when the game is over. */
import { keep, kept } from './storage'

const KEY = 'mandala-shares'
const MOST = 200 // tables

/** The commitment as it was told then, and one's own random parts of the deal. */
export interface Noted {
  commitment: string
  shares: string[]
}
type All = [table: string, noted: Noted][]

/** What was noted at a table, if anything. */
export function notedAt(table: string): Noted | null {
  return kept<All>(KEY, []).find(([id]) => id === table)?.[1] ?? null
}

/** Note a share; the commitment noted first stays, and the oldest tables are forgotten. */
export function noteShare(table: string, commitment: string, share: string): void {
  const before = notedAt(table) ?? { commitment, shares: [] }
  const noted: Noted = { ...before, shares: [...before.shares, share] }
  const others = kept<All>(KEY, []).filter(([id]) => id !== table)
  keep(KEY, [...others, [table, noted] as const].slice(-MOST))
}
