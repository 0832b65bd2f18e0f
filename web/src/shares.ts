/** One's own random parts of deals, kept to check the deals when the games are over. */
import { keep, kept } from './storage'

const KEY = 'mandala-shares'
const MOST = 200 // tables
type Shares = [table: string, shares: string[]][]

/** The shares that this browser gave at a table. */
export function sharesAt(table: string): string[] {
  return kept<Shares>(KEY, []).find(([id]) => id === table)?.[1] ?? []
}

/** Remember a share; the oldest are forgotten. */
export function keepShare(table: string, share: string): void {
  const others = kept<Shares>(KEY, []).filter(([id]) => id !== table)
  keep(KEY, [...others, [table, [...sharesAt(table), share]] as const].slice(-MOST))
}
