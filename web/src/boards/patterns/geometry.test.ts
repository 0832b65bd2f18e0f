import { expect, test } from 'vitest'
import { cellOf, nameOf, outline } from './geometry'

const around = (names: string[]) => outline(names.map(cellOf), 0, 0)
const corners = (path: string) => path.match(/Q/g)?.length ?? 0
const parts = (path: string) => path.match(/z/g)?.length ?? 0

test('names and cells convert into each other', () => {
  expect(cellOf('a8')).toEqual({ column: 0, row: 0 })
  expect(cellOf('h1')).toEqual({ column: 7, row: 7 })
  for (const name of ['c8', 'a4', 'e5']) expect(nameOf(cellOf(name))).toBe(name)
})

test('the outline of a group has no corners along straight edges', () => {
  expect(corners(around(['d4']))).toBe(4)
  expect(corners(around(['d4', 'e4', 'f4']))).toBe(4)
  expect(corners(around(['d4', 'e4', 'e5']))).toBe(6)
})

test('a hole has an outline of its own', () => {
  const ring = ['c3', 'd3', 'e3', 'c4', 'e4', 'c5', 'd5', 'e5']
  expect(parts(around(ring))).toBe(2)
  expect(corners(around(ring))).toBe(8)
})

test('the outline is moved inwards by the inset', () => {
  expect(outline([cellOf('a8')], 2, 0)).toBe('M2 2Q2 2 2 2L42 2Q42 2 42 2L42 42Q42 42 42 42L2 42Q2 42 2 42z')
})

test('spaces that meet at a corner stay apart', () => {
  expect(parts(around(['d4', 'e5']))).toBe(2)
})
