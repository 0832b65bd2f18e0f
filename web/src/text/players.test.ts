import { expect, it } from 'vitest'
import type { SeatState } from '../api/types'
import { named, withNames } from './players.text'

const seat = (number: number, kind: SeatState['kind'], name: string): SeatState => ({
  seat: number,
  kind,
  name,
  you: false,
  time_left: null,
})

it('calls a bot by its level, and several by their seats', () => {
  const one = named([seat(1, 'person', 'Ada'), seat(2, 'bot', 'search:5')], [1])
  expect(one.map((each) => each.name)).toEqual(['Ada', 'Master'])
  const two = named([seat(1, 'bot', 'search:1'), seat(2, 'bot', 'search:1')], [])
  expect(two.map((each) => each.name)).toEqual(['Bot 1', 'Bot 2'])
})

it('tells those who share a device apart', () => {
  const both = named([seat(1, 'person', 'Ada'), seat(2, 'person', 'Ada')], [1, 2])
  expect(both.map((each) => each.name)).toEqual(['Player 1', 'Player 2'])
})

it('puts names where the server has numbers', () => {
  const seats = [seat(1, 'person', 'Ada'), seat(2, 'person', 'Ben')]
  expect(withNames('Seat 2 gives seat 1 the red tile on d2.', seats)).toBe(
    'Ben gives Ada the red tile on d2.',
  )
  expect(withNames('Platz 2 zieht 3 Karten.', seats)).toBe('Ben zieht 3 Karten.')
  expect(withNames('der Zug von Platz 1', seats)).toBe('der Zug von Ada')
  expect(withNames('search:1 sits down on seat 2.', seats)).toBe('First steps sits down on seat 2.')
  expect(withNames('Seat 4 passes.', seats)).toBe('Seat 4 passes.')
})
