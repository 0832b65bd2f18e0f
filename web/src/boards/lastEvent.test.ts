/** Moved cards and explanations, worked out from the boards before and after an event. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { FlowersBoard, MandalaBoard } from '../api/types'
import { prefs } from '../prefs.svelte'
import type { Flight } from './flights.svelte'
import * as flowers from './flowers/lastEvent'
import * as mandala from './mandala/lastEvent'
import { fixturesOf, type BoardFixture } from './fixtures'
import { sum } from './words.text'

beforeEach(() => (prefs.language = 'en'))

const nameOf = (seat: number): string => `N${seat}`
const cards = (flights: Flight[], from: string): number =>
  flights.reduce((all, each) => all + (each.from.startsWith(from) && !each.tile ? each.count : 0), 0)
const find = <B extends MandalaBoard | FlowersBoard>(all: BoardFixture<B>[], name: string): BoardFixture<B> =>
  all.find((each) => each.name.startsWith(name))!

describe('mandala', () => {
  const positions = fixturesOf<MandalaBoard>('mandala')
  const fly = ({ before, props }: BoardFixture<MandalaBoard>): Flight[] =>
    mandala.flights(before, props.board, props.last, props.lastSeat!)
  const say = ({ before, props }: BoardFixture<MandalaBoard>): string =>
    mandala.explanation({ ...props, before, after: props.board, nameOf })

  test.each(positions)('all cards that change places fly: $name', (position) => {
    const { before, props } = position
    const flights = fly(position)
    const drawn = props.last.filter((ply) => ply.startsWith('+')).length
    expect(cards(flights, 'pile')).toBe(drawn)
    const discarded = flights.filter((each) => each.to === 'discard')
    const isShuffled = props.board.last_phase && !before.last_phase
    if (props.board.phase !== 'over' && !isShuffled) {
      const more = sum(props.board.discard) - sum(before.discard)
      expect(discarded.reduce((all, each) => all + each.count, 0)).toBe(more)
    }
    const move = props.last[0]!
    const left = move.startsWith('T') ? cards(flights, 'centre') : cards(flights, `hand-${props.lastSeat}`)
    const area = before.mandalas.find((each) => each.dissolving)
    const taken = area?.centre['roygvk'.indexOf(move[1]!)]
    expect(left).toBe(move.startsWith('T') ? taken : move.replace(/^[ABC][12]?/, '').length)
  })

  test('the explanation of who chooses first, and of where taken cards went', () => {
    expect(say(find(positions, 'mandala 2 from action to dissolve, seen by 2'))).toBe(
      'Most cards in the field, 3 to 2: you choose first',
    )
    expect(say(find(positions, 'mandala 2 from dissolve to action, seen by 1'))).toBe(
      'N2: 1 violet to place 2; fields discarded',
    )
    expect(say(find(positions, 'mandala 2 middle'))).toBe('')
  })
})

describe('flowers', () => {
  const positions = fixturesOf<FlowersBoard>('flowers')
  const fly = ({ before, props }: BoardFixture<FlowersBoard>): Flight[] =>
    flowers.flights(before, props.board, props.last, props.lastSeat!)

  test.each(positions)('tiles fly to their new seat, cards to the discard pile or a hand: $name', (position) => {
    const { before, props } = position
    const flights = fly(position)
    const area = before.mandalas.find((each) => each.dissolving)
    const number = area ? before.mandalas.indexOf(area) + 1 : 0
    if (!area) {
      expect(cards(flights, `hand-${props.lastSeat}`)).toBe(props.last[0]!.replace(/[-123]/, '').length)
      return
    }
    const sides = area.sides.flatMap((side) => [...side.up, ...side.down])
    expect(cards(flights, `side-${number}`)).toBe(sum(sides))
    const tiles = flights.filter((each) => each.from.startsWith('tile'))
    expect(tiles.map((each) => each.tile).sort()).toEqual([...area.tiles].sort())
    for (const { tile, to } of tiles) {
      const seat = props.board.seats[Number(to.replace('seat-', '')) - 1]!
      const owned = [...seat.singles, ...seat.flowers.flatMap((flower) => flower.tiles)]
      expect(owned).toContain(tile)
    }
  })

  test('the explanation of who got which tile', () => {
    const { before, props } = find(positions, 'flowers 3 from claim to action')
    expect(flowers.explanation({ before, after: props.board, last: props.last, nameOf })).toBe(
      'N1 (3 cards): yellow 5, N2 (3 cards): violet 4',
    )
  })
})
