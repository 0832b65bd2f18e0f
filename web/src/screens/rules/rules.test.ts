import { expect, test } from 'vitest'
import { splitLead } from './rules'

test('the lead of an item ends at its first colon', () => {
  expect(splitLead('Flip: turn over a tile.')).toEqual({ lead: 'Flip:', rest: ' turn over a tile.' })
  expect(splitLead('A board of 52 spaces.')).toEqual({ lead: '', rest: 'A board of 52 spaces.' })
  const late = 'Two are left. Seat 2 decides: which goes where.'
  expect(splitLead(late)).toEqual({ lead: '', rest: late })
})
