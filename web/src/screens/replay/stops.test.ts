import { expect, test } from 'vitest'
import type { Frame } from '../../api/types'
import { lastPlies, parsePly, stepFrom, stopsOf } from './stops'

/** Two draws, a move with a draw, a move, the end. */
const frames = ['', '+r', '+g', 'A1r', '+k', 'B1g'].map((move, ply): Frame => {
  const actor = { A: 1, B: 2 }[move[0] ?? ''] ?? null
  return { ply, move, actor, board: null as unknown as Frame['board'], scores: [0, 0], gains: [], narration: [] }
})
const stops = stopsOf(frames)

test('stops are before each decision and at the end', () => {
  expect(stops).toEqual([2, 4, 5])
})

test('a step leads to the next stop, also from in between, and back to the beginning', () => {
  expect([0, 2, 3, 4, 5].map((ply) => stepFrom(ply, 1, stops))).toEqual([2, 4, 4, 5, 5])
  expect([5, 4, 3, 2].map((ply) => stepFrom(ply, -1, stops))).toEqual([4, 2, 2, 0])
})

test('the last plies are a move and the draws after it', () => {
  expect(lastPlies(frames, 4, stops)).toEqual({ last: ['A1r', '+k'], lastSeat: 1 })
  expect(lastPlies(frames, 4, [0, 1, 2, 3, 4, 5])).toEqual({ last: ['+k'], lastSeat: null })
  expect(lastPlies(frames, 2, stops)).toEqual({ last: ['+g'], lastSeat: null })
  expect(lastPlies(frames, 0, [0, 1])).toEqual({ last: [], lastSeat: null })
})

test('a query is limited to the plies of the game', () => {
  expect(parsePly('3', 5)).toBe(3)
  expect(parsePly('99', 5)).toBe(5)
  expect(parsePly('-1', 5)).toBe(5)
  expect(parsePly(null, 5)).toBe(5)
})
