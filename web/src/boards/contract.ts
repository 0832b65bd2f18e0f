import type { FlowersBoard, MandalaBoard, PatternsBoard, SeatState } from '../api/types'

export type AnyBoard = MandalaBoard | PatternsBoard | FlowersBoard

/**
 * What every board is given. A board draws what the server sent and knows no rules: what can be
 * done is in `legal`, in notation; anything else that somebody tries goes to `onwhy`.
 */
export interface BoardProps<B extends AnyBoard = AnyBoard> {
  board: B
  seats: SeatState[]
  viewer: number | null // the seat drawn at the bottom; nobody's for spectators
  actor: number | null // the seat that decides
  legal: string[] // empty unless the viewer decides
  last: string[] // the plies of the last event, chance included
  lastSeat: number | null // who made it
  onmove: (move: string) => void
  onwhy: (move: string) => void
}
