/** What legal moves and two boards say about the spaces. */
import type { PatternsBoard, PatternsSpace } from '../../api/types'
import { cellOf, nameOf } from './geometry'

export const KINDS = ['F', 'X', 'O'] as const
export type Kind = (typeof KINDS)[number]

/** The kinds of move that are legal on a space. */
export function kindsAt(legal: readonly string[], space: string): Kind[] {
  return KINDS.filter((kind) => legal.includes(kind + space))
}

/** The space of a move, or null for a move without one. */
export function spaceOf(move: string): string | null {
  return /^[OFX][a-h][1-8]$/.test(move) ? move.slice(1) : null
}

/** The kind of move that lays the exchange tile: it opens a group, or is swapped into its group. */
export function exchangeKind(board: PatternsBoard, seat: number): 'O' | 'X' {
  const own = board.seats[seat - 1]!
  return own.groups.some(({ colour }) => colour === own.bowl) ? 'X' : 'O'
}

/** The kind of move that a tap on a space without legal moves most likely meant. */
export function likelyKind(board: PatternsBoard, seat: number, space: PatternsSpace): Kind {
  if (board.phase === 'last-flips') return 'F'
  const { column, row } = cellOf(space.name)
  const around = [
    { column: column - 1, row },
    { column: column + 1, row },
    { column, row: row - 1 },
    { column, row: row + 1 },
  ].map(nameOf)
  const isBesideOwn = board.spaces.some(
    (other) =>
      other.seat === seat && other.colour === space.colour && around.includes(other.name),
  )
  return isBesideOwn ? 'F' : exchangeKind(board, seat)
}

/** What a move does to a group: its number, colour, size and points afterwards. */
export interface Effect {
  kind: Kind
  number: number
  colour: string
  size: number
  scored: number // tiles that score the number of the group
  points: number
  gain: number
}

export function effectOf(
  board: PatternsBoard,
  seat: number,
  kind: Kind,
  space: PatternsSpace,
): Effect {
  const own = board.seats[seat - 1]!
  const colour = kind === 'F' ? space.colour : own.bowl
  const group = own.groups.find((each) => each.colour === colour)
  if (group === undefined) {
    return { kind, number: own.next_number, colour, size: 1, scored: 0, points: 0, gain: 0 }
  }
  const { number, size, scored, points, gain } = group
  return { kind, number, colour, size: size + 1, scored: scored + 1, points: points + gain, gain }
}

/** The one move between two positions: its space, its seat, and the tiles. */
export interface Change {
  space: string
  seat: number
  taken: string // the colour before
  laid: string // the colour after
  isFlip: boolean
}

export function changeOf(before: PatternsBoard, after: PatternsBoard): Change | null {
  const turned = after.spaces.flatMap((space, index) => {
    const was = before.spaces[index]!
    return was.seat !== space.seat ? [{ was, space }] : []
  })
  const [only] = turned
  if (turned.length !== 1 || only === undefined || only.was.seat !== 0) return null
  const { was, space } = only
  const bowls = [before, after].map((board) => board.seats[space.seat - 1]!.bowl)
  return {
    space: space.name,
    seat: space.seat,
    taken: was.colour,
    laid: space.colour,
    isFlip: space.marker === 0 && was.colour === space.colour && bowls[0] === bowls[1],
  }
}
