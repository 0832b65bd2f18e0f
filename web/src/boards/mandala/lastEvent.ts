/** What the last event changed, from the boards before and after it: moved cards, and an explanation. */
import type { MandalaBoard } from '../../api/types'
import { COLOURS, stacks, type Colour, type Face } from '../../look/colours'
import { colourAdjectives } from '../../look/colours.text'
import { parseCardMove } from '../choice.svelte'
import { drawFlights, type Flight } from '../flights.svelte'
import { shortCards, sum } from '../words.text'
import { text } from './board.text'

interface Taken {
  colour: Colour
  count: number
  mandala: number // from 1
  place: number // of the river, or 0
  cup: number // cards that went there
}

/** What a take has moved; null when the boards do not show it. */
export function taken(before: MandalaBoard, after: MandalaBoard, move: string, seat: number): Taken | null {
  const mandala = before.mandalas.findIndex((area) => area.dissolving)
  const [was, is] = [before.seats[seat - 1], after.seats[seat - 1]]
  if (!move.startsWith('T') || mandala < 0 || !was || !is) return null
  const colour = move[1] as Colour
  const place = was.river.includes(colour) ? 0 : is.river.indexOf(colour) + 1
  const count = before.mandalas[mandala]!.centre[COLOURS.indexOf(colour)] ?? 0
  const cup = sum(is.cup) + sum(is.secret) - sum(was.cup) - sum(was.secret)
  return { colour, count, mandala: mandala + 1, place, cup }
}

/** The cards that an event has moved, in the order in which they go. */
export function flights(before: MandalaBoard, after: MandalaBoard, last: string[], seat: number): Flight[] {
  const move = last.find((ply) => !ply.startsWith('+')) ?? ''
  const drawn = last.filter((ply) => ply.startsWith('+')).map((ply) => ply[1] as Face)
  const take = taken(before, after, move, seat)
  if (take) return [...takeFlights(before, after, take, seat), ...drawFlights(drawn, `centre-${take.mandala}`, 3)]
  const laid = parseCardMove(move)
  if (!laid) return []
  const { colour, count, target } = laid
  const to =
    target === 'C'
      ? 'discard'
      : target.startsWith('A')
        ? `centre-${target[1]}-${colour}`
        : `field-${target[1]}-${seat}-${colour}`
  const from = `hand-${seat}-${colour}`
  return [
    { colour, count, from, to, wave: 0 },
    ...drawFlights(drawn, `hand-${seat}`, 1),
  ]
}

function takeFlights(before: MandalaBoard, after: MandalaBoard, take: Taken, seat: number): Flight[] {
  const { colour, mandala, place, cup, count } = take
  const from = `centre-${mandala}-${colour}`
  const found: Flight[] = []
  if (place) found.push({ colour, count: 1, from, to: `river-${seat}-${place}`, wave: 0, fillsPlace: true, isSand: true })
  if (cup) found.push({ colour, count: cup, from, to: `cup-${seat}`, wave: place ? 1 : 0, isSand: true })
  if (!place && !cup) found.push({ colour, count, from, to: 'discard', wave: 0 })
  if (after.mandalas[mandala - 1]!.dissolving) return found
  const fields = before.mandalas[mandala - 1]!.fields.flatMap((counts, index) =>
    stacks(counts).map(
      (stack): Flight => ({
        ...stack,
        from: `field-${mandala}-${index + 1}-${stack.colour}`,
        to: 'discard',
        wave: 2,
      }),
    ),
  )
  return [...found, ...fields]
}

/** The places that the last event changed, to be highlighted. */
export function changedPlaces(before: MandalaBoard | null, after: MandalaBoard, last: string[], seat: number | null): Set<string> {
  const move = last.find((ply) => !ply.startsWith('+'))
  if (!move || seat === null) return new Set()
  const laid = parseCardMove(move)
  if (laid?.target === 'C') return new Set(['discard'])
  if (laid?.target.startsWith('A')) return new Set([`centre-${laid.target[1]}-${laid.colour}`])
  if (laid) return new Set([`field-${laid.target[1]}-${seat}-${laid.colour}`])
  const take = before && taken(before, after, move, seat)
  if (!take) return new Set()
  const places = []
  if (take.place) places.push(`river-${seat}-${take.place}`)
  if (take.cup) places.push(`cup-${seat}`)
  return new Set(places)
}

interface EventContext {
  before: MandalaBoard | null
  after: MandalaBoard
  last: string[]
  lastSeat: number | null
  actor: number | null
  viewer: number | null
  nameOf: (seat: number) => string
}

/** A line about how a dissolving goes on; empty when there is nothing to explain. */
export function explanation(context: EventContext): string {
  const { before, after, last, lastSeat, actor } = context
  const move = last.find((ply) => !ply.startsWith('+')) ?? ''
  if (before && lastSeat !== null) {
    const take = taken(before, after, move, lastSeat)
    if (take) return tookLine(take, context.nameOf(lastSeat), !after.mandalas[take.mandala - 1]!.dissolving)
  }
  const area = after.mandalas.find((each) => each.dissolving)
  if (!area || actor === null || move.startsWith('T')) return ''
  const own = sum(area.fields[actor - 1] ?? [])
  const other = sum(area.fields[2 - actor] ?? [])
  const isYou = actor === context.viewer
  if (area.majority === actor) return isYou ? text.firstYou(own, other) : text.first(context.nameOf(actor), own, other)
  return isYou ? text.tiedYou : text.tied(context.nameOf(actor))
}

function tookLine(take: Taken, name: string, isLast: boolean): string {
  const { colour, count, place, cup } = take
  const line = !place && !cup
    ? text.tookNothing(name, shortCards(colour, count))
    : !place
      ? text.tookCup(name, shortCards(colour, count))
      : cup
        ? text.tookBoth(name, place, colourAdjectives[colour], cup)
        : text.tookRiver(name, shortCards(colour, count), place)
  return isLast ? `${line}; ${text.cleared}` : line
}
