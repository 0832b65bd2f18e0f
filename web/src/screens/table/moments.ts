/** The moves of a replay that scored most. */
import type { Frame } from '../../api/types'
import { stopsOf } from '../replay/stops'

export interface Moment {
  ply: number // after the decision and its draws
  seat: number // that scored, from 1
  gain: number
  text: string // about that seat
}

const MAX_MOMENTS = 3

/** The decisions that gained most, in the order of the game; of equal ones the later. */
export function momentsOf(frames: readonly Frame[]): Moment[] {
  const stops = stopsOf(frames)
  const found = frames.flatMap(({ ply, gains, narration }) =>
    gains.map((gain, index): Moment => {
      const seat = index + 1
      const text = narration.filter((each) => each.seat === seat).map((each) => each.text)
      return { ply: stops.find((stop) => stop >= ply)!, seat, gain, text: text.join(' ') }
    }),
  )
  return found
    .filter(({ gain }) => gain > 0)
    .toSorted((a, b) => b.gain - a.gain || b.ply - a.ply)
    .slice(0, MAX_MOMENTS)
    .toSorted((a, b) => a.ply - b.ply)
}
