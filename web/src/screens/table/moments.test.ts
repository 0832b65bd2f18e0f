import { expect, test } from 'vitest'
import type { Frame } from '../../api/types'
import { games } from '../../boards/patterns/fixtures'
import { momentsOf } from './moments'

const { board } = games[0]![0]!
const frame = (ply: number, actor: number | null, gains: number[]): Frame => {
  const of = (seat: number) => ({ seat, text: `${seat === actor ? 'Ada' : 'Seat 1'} did ${ply}.` })
  const narration = actor === null ? [] : [of(actor), of(3 - actor), { seat: null, text: 'Ada.' }]
  return { ply, move: '', actor, board, scores: [], gains, narration }
}

test('the moves that gained most are listed in their order, after the draws that belong to them', () => {
  const frames = [
    frame(0, null, []),
    frame(1, 1, [1, 0]),
    frame(2, 2, [0, 9]),
    frame(3, null, []),
    frame(4, 1, [4, -1]),
    frame(5, 2, [0, 0]),
    frame(6, 1, [6, 0]),
  ]
  expect(momentsOf(frames)).toEqual([
    { ply: 3, seat: 2, gain: 9, text: 'Ada did 2.' },
    { ply: 4, seat: 1, gain: 4, text: 'Ada did 4.' },
    { ply: 6, seat: 1, gain: 6, text: 'Ada did 6.' },
  ])
})

test('without gains there are no moments', () => {
  expect(momentsOf([frame(0, null, []), frame(1, 1, [0, 0])])).toEqual([])
})
