/** When the points of a game were made: the places in its replay that are worth a look. */
import type { Frame } from '../../api/types'
import { stopsOf } from '../replay/stops'

export interface Moment {
  ply: number // with the decision made, and all that it drew
  seat: number // who gained, from 1
  gain: number
  told: string[] // what it says of that seat
}

const MOST = 3

/** The decisions that gained most, in the order of the game; of equal ones the later. */
export function momentsOf(frames: readonly Frame[]): Moment[] {
  const stops = stopsOf(frames)
  const gains = stops.slice(1).flatMap((ply, index) => {
    const from = stops[index]!
    const before = frames[from]!.scores
    return frames[ply]!.scores.map((points, seat): Moment => {
      const about = new RegExp(`\\b(seat|Platz) ${seat + 1}\\b`, 'i')
      const told = frames[from + 1]!.told.filter((sentence) => about.test(sentence))
      return { ply, seat: seat + 1, gain: points - before[seat]!, told }
    })
  })
  return gains
    .filter(({ gain }) => gain > 0)
    .toSorted((a, b) => b.gain - a.gain || b.ply - a.ply)
    .slice(0, MOST)
    .toSorted((a, b) => a.ply - b.ply)
}
