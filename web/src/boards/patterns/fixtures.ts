/** Positions of whole games for tests, made by `gallery/fixtures.py`. */
import type { PatternsBoard } from '../../api/types'
import positions from './positions.json'

export interface Fixture {
  board: PatternsBoard
  actor: number | null
  legal: string[]
  last: string[]
  lastSeat: number | null
}

const SPACES = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((rank) => {
  const cut = [3, 6].includes(rank) ? 0 : { 8: 2, 7: 1, 2: 1, 1: 2 }[rank] ?? 0
  return [...'abcdefgh'.slice(cut, 8 - cut)].map((file) => file + rank)
})

export const games: Fixture[][] = positions.map((game) => game.map(read))

function read(written: (typeof positions)[number][number]): Fixture {
  const signs = written.spaces.match(/[roygvk]\d\d/g) ?? []
  const spaces = SPACES.map((name, index) => {
    const [colour, seat, marker] = signs[index]!
    return { name, colour: colour!, seat: Number(seat), marker: Number(marker) }
  })
  return {
    board: {
      type: 'patterns',
      phase: written.phase as PatternsBoard['phase'],
      spaces,
      seats: written.seats,
      starting: written.starting,
    },
    actor: written.actor,
    legal: written.legal.split(' ').filter(Boolean),
    last: written.last === '' ? [] : [written.last],
    lastSeat: written.lastSeat,
  }
}

export const NAMES = ['Ada', 'Ben']
