/** What the last event changed, from the boards before and after it: moved cards, and an explanation. */
import type { FlowersBoard, FlowersMandala, FlowersSeat } from '../../api/types'
import { COLOURS, stacks, type Colour, type Face } from '../../look/colours'
import { colourAdjectives } from '../../look/colours.text'
import { tileName } from '../../look/tiles'
import { parseCardMove, type CardMove } from '../choice.svelte'
import { drawFlights, type Flight } from '../flights.svelte'
import { sum } from '../words.text'
import { text } from './board.text'

interface Dissolved {
  mandala: number // from 1
  area: FlowersMandala // before the claim
  got: { tile: string; seat: number }[] // the claimed tile first
}

const isDecision = (ply: string): boolean => !/^[+*!]/.test(ply)
const tilesOf = (seat: FlowersSeat): string[] => [
  ...seat.singles,
  ...seat.flowers.flatMap((flower) => flower.tiles),
]
export const sizeOf = (area: FlowersMandala, seat: number): number =>
  sum(area.sides[seat - 1]?.up ?? []) + sum(area.sides[seat - 1]?.down ?? [])

/** Who got which tile by a claim; null when the boards do not show it. */
export function dissolved(before: FlowersBoard, after: FlowersBoard, last: string[]): Dissolved | null {
  const claimed = last.find((ply) => ply.startsWith('T'))?.slice(1)
  const mandala = before.mandalas.findIndex((area) => area.dissolving)
  const area = before.mandalas[mandala]
  if (!claimed || !area) return null
  const tiles = [claimed, ...area.tiles.filter((tile) => tile !== claimed)]
  const got = tiles.flatMap((tile) => {
    const seat = after.seats.findIndex((each) => tilesOf(each).includes(tile)) + 1
    return seat ? [{ tile, seat }] : []
  })
  return { mandala: mandala + 1, area, got }
}

/** The cards and tiles that an event has moved, in the order in which they go. */
export function flights(before: FlowersBoard, after: FlowersBoard, last: string[], seat: number): Flight[] {
  const claim = dissolved(before, after, last)
  if (claim) return [...claimFlights(claim), ...newTileFlights(claim.mandala, last, after.dark_colours)]
  const laid = parseCardMove(last.find(isDecision) ?? '')
  if (!laid) return []
  const { colour, count } = laid
  const drawn = last.filter((ply) => ply.startsWith('+')).map((ply) => ply[1] as Face)
  const [to] = changedPlaces(before, after, last, seat)
  return [
    { colour, count, from: `hand-${seat}-${colour}`, to: to!, wave: 0 },
    ...drawFlights(drawn, `hand-${seat}`, 1),
  ]
}

function claimFlights({ mandala, area, got }: Dissolved): Flight[] {
  const tiles = got.map(
    ({ tile, seat }, wave): Flight => ({
      colour: tile[0] as Colour,
      count: 1,
      from: `tile-${mandala}-${tile}`,
      to: `seat-${seat}`,
      wave,
      tile,
    }),
  )
  const winners = got.map(({ seat }) => seat)
  const cards = area.sides.flatMap((side, index) => {
    const to = winners.includes(index + 1) ? 'discard' : `hand-${index + 1}`
    const from = `side-${mandala}-${index + 1}`
    const of = (way: 'up' | 'down'): Flight[] =>
      stacks(side[way]).map((stack) => ({ ...stack, from: `${from}-${way}-${stack.colour}`, to, wave: 2 }))
    return [...of('up'), ...of('down')]
  })
  return [...tiles, ...cards]
}

function newTileFlights(mandala: number, last: string[], darkColours: string): Flight[] {
  return last
    .filter((ply) => ply.startsWith('*'))
    .map((ply) => {
      const tile = ply.slice(1)
      const from = darkColours.includes(tile[0]!) ? 'dark' : 'light'
      const to = `tile-${mandala}-${tile}`
      return { colour: tile[0] as Colour, count: 1, from, to, wave: 3, tile, isDrawn: true }
    })
}

/** The places that the last event changed, to be highlighted. */
export function changedPlaces(
  before: FlowersBoard | null,
  after: FlowersBoard,
  last: string[],
  seat: number | null,
): Set<string> {
  const claim = before && dissolved(before, after, last)
  if (claim) return new Set(claim.got.map((each) => `seat-${each.seat}`))
  const laid = parseCardMove(last.find(isDecision) ?? '')
  if (!laid || seat === null) return new Set()
  const way = upCards(after, laid, seat) > upCards(before, laid, seat) ? 'up' : 'down'
  return new Set([`side-${laid.target}-${seat}-${way}-${laid.colour}`])
}

function upCards(board: FlowersBoard | null, laid: CardMove, seat: number): number {
  const side = board?.mandalas[Number(laid.target) - 1]?.sides[seat - 1]
  return side?.up[COLOURS.indexOf(laid.colour)] ?? 0
}

interface EventContext {
  before: FlowersBoard | null
  after: FlowersBoard
  last: string[]
  nameOf: (seat: number) => string
}

/** A line about how a dissolving goes on; empty when there is nothing to explain. */
export function explanation({ before, after, last, nameOf }: EventContext): string {
  const area = after.mandalas.find((each) => each.dissolving)
  if (area) return text.claims(sizes(area, nameOf))
  const claim = before && dissolved(before, after, last)
  if (!before || !claim) return ''
  const [first, second] = claim.got
  if (!first || !second) return ''
  const line =
    first.seat === second.seat
      ? text.gotBoth(nameOf(first.seat), sizeOf(claim.area, first.seat))
      : claim.got
          .map(({ tile, seat }) => text.got(nameOf(seat), tileName(tile), sizeOf(claim.area, seat)))
          .join(', ')
  return [line, ...bloomed(before, after, nameOf)].join('. ')
}

function sizes(area: FlowersMandala, nameOf: (seat: number) => string): string {
  return area.sides
    .map((_, index) => index + 1)
    .filter((seat) => sizeOf(area, seat) > 0)
    .sort((a, b) => Number(b === area.holder) - Number(a === area.holder) || sizeOf(area, b) - sizeOf(area, a))
    .map((seat) => `${nameOf(seat)} ${sizeOf(area, seat)}`)
    .join(', ')
}

/** A line for each new flower. */
function bloomed(before: FlowersBoard, after: FlowersBoard, nameOf: (seat: number) => string): string[] {
  return after.seats.flatMap((seat, index) => {
    const had = new Set(before.seats[index]?.flowers.map((flower) => flower.tiles.join()))
    return seat.flowers
      .filter((flower) => !had.has(flower.tiles.join()))
      .map((flower) =>
        text.blooms(nameOf(index + 1), colourAdjectives[flower.tiles[0]![0] as Colour], flower.points),
      )
  })
}
