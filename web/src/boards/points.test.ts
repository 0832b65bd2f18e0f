import { expect, test } from 'vitest'
import type { AnyBoard, PointLine } from './contract'
import { findGame, GAMES } from './games'
import { games } from './patterns/fixtures'
import { fixturesOf } from './fixtures'

const boards: AnyBoard[] = [
  ...GAMES.flatMap(({ id }) => fixturesOf<AnyBoard>(id).map(({ props }) => props.board)),
  ...games.flat().map(({ board }) => board),
]
const linesOf = (board: AnyBoard): PointLine[][] =>
  board.seats.map((seat) => findGame(board.type)!.pointLines(seat))

test('the lines of a seat add up to the points that the server counted', () => {
  let lines = 0
  for (const board of boards) {
    for (const [seat, found] of linesOf(board).entries()) {
      lines += found.length
      expect(found.reduce((sum, line) => sum + line.points, 0)).toBe(board.seats[seat]!.points)
    }
  }
  expect(lines).toBeGreaterThan(100)
})

test('sums are written as they are worked out', () => {
  const found = boards.flatMap((board) => linesOf(board).flat())
  const worked = found.filter(({ sum }) => /\d/.test(sum) && !/[a-z]/.test(sum))
  expect(worked.length).toBeGreaterThan(50)
  for (const { sum, points } of worked) {
    const total = sum
      .split('+')
      .map((part) => part.split('×').reduce((product, each) => product * Number(each), 1))
      .reduce((one, other) => one + other)
    expect(`${sum} = ${total}`).toBe(`${sum} = ${points}`)
  }
})
