import { expect, test } from 'vitest'
import { games } from './fixtures'
import { changeOf, effectOf, spaceOf } from './moves'

const steps = games.flatMap((game) =>
  game.slice(1).map((after, index) => ({ before: game[index]!, after, move: after.last[0]! })),
)

test('the change between two positions is the move that was made', () => {
  for (const { before, after, move } of steps) {
    const change = changeOf(before.board, after.board)
    const space = spaceOf(move)
    if (space === null) expect(change, move).toBeNull()
    else {
      expect(change, move).toMatchObject({ space, seat: after.lastSeat, isFlip: move[0] === 'F' })
    }
  }
})

test('the announced gain of a move is its gain', () => {
  for (const { before, after, move } of steps) {
    const space = before.board.spaces.find(({ name }) => name === spaceOf(move))
    if (space === undefined) continue
    const seat = after.lastSeat!
    const { number, colour, size, scored, points, gain } = effectOf(before.board, seat, move[0] as 'O' | 'F' | 'X', space)
    const [was, is] = [before, after].map(({ board }) => board.seats[seat - 1]!)
    expect(is!.points - was!.points, move).toBe(gain)
    expect(is!.groups[number - 1], move).toMatchObject({ number, colour, size, scored, points })
  }
})

test('several moves at once are not taken for one', () => {
  const game = games[0]!
  expect(changeOf(game[5]!.board, game[8]!.board)).toBeNull()
  expect(changeOf(game[8]!.board, game[7]!.board)).toBeNull()
})
