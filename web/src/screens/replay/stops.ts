/** The plies at which a replay stops. */
import type { Frame } from '../../api/types'

/** The plies before each decision, and the last one: draws between them are one step. */
export function stopsOf(frames: readonly Frame[]): number[] {
  const last = frames.length - 1
  const isStop = (ply: number) => ply === last || frames[ply + 1]!.actor !== null
  return frames.map(({ ply }) => ply).filter(isStop)
}

/** The next stop in a direction; 0 before the first one. */
export function stepFrom(ply: number, by: 1 | -1, stops: readonly number[]): number {
  const found = by === 1 ? stops.find((stop) => stop > ply) : stops.findLast((stop) => stop < ply)
  return found ?? (by === 1 ? ply : 0)
}

/** The plies from the stop before to this one, and the seat of the first of them. */
export function lastPlies(
  frames: readonly Frame[],
  ply: number,
  stops: readonly number[],
): { last: string[]; lastSeat: number | null } {
  const from = stops.findLast((stop) => stop < ply) ?? ply - 1
  const plies = frames.slice(from + 1, ply + 1).filter((frame) => frame.ply > 0)
  return { last: plies.map((frame) => frame.move), lastSeat: plies[0]?.actor ?? null }
}

/** The ply in a query; the last one where it is missing or no number. */
export function parsePly(text: string | null, plies: number): number {
  if (text === null || !/^\d+$/.test(text)) return plies
  return Math.min(Number(text), plies)
}
