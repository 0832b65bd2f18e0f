import { expect, test } from 'vitest'
import type { Frame } from '../../api/types'
import { games } from '../../boards/patterns/fixtures'
import { momentsOf } from './moments'

const { board } = games[0]![0]!
const frame = (ply: number, actor: number | null, scores: number[]): Frame => {
  const told = actor === null ? [] : [`Seat ${actor} takes ${ply}.`, `Seat ${3 - actor} waits.`]
  return { ply, move: '', actor, board, scores, told }
}

test('the moves that gained most are told in their order, with the draws that belong to them', () => {
  const frames = [
    frame(0, null, [0, 0]),
    frame(1, 1, [1, 0]),
    frame(2, 2, [1, 9]),
    frame(3, null, [1, 9]),
    frame(4, 1, [5, 9]),
    frame(5, 2, [5, 9]),
    frame(6, 1, [11, 9]),
  ]
  expect(momentsOf(frames)).toEqual([
    { ply: 3, seat: 2, gain: 9, told: ['Seat 2 takes 2.'] },
    { ply: 4, seat: 1, gain: 4, told: ['Seat 1 takes 4.'] },
    { ply: 6, seat: 1, gain: 6, told: ['Seat 1 takes 6.'] },
  ])
})

test('where nobody gained anything there is nothing to tell', () => {
  expect(momentsOf([frame(0, null, [0, 0]), frame(1, 1, [0, 0])])).toEqual([])
})
