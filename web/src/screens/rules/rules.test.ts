import { expect, test } from 'vitest'
import { ledBy } from './rules'

test('what an item is about stands before its first colon', () => {
  expect(ledBy('Flip: turn over a tile.')).toEqual({ lead: 'Flip:', rest: ' turn over a tile.' })
  expect(ledBy('A board of 52 spaces.')).toEqual({ lead: '', rest: 'A board of 52 spaces.' })
  const late = 'Two are left. Seat 2 decides: which goes where.'
  expect(ledBy(late)).toEqual({ lead: '', rest: late })
})
