/** What a seat's points are made of, as the board shows it. */
import type { AnyBoard } from '../../boards/contract'
import { COLOURS, type Colour } from '../../look/colours'
import { colourNames } from '../../look/colours.text'
import { resultWords } from './result.text'

export interface Line {
  colour: Colour | null // of the cards, or of the group
  tiles: string[] // of a flower, or single ones
  sum: string // how the points come about
  points: number
  text: string // the same in words
  isEmpty?: boolean // nothing lies there
}

/** The lines of a seat, of all seats alike: those of one place stand beside each other. */
export function breakdown(board: AnyBoard, seat: number): Line[] {
  if (board.type === 'mandala') return cupLines(board.seats[seat]!)
  if (board.type === 'flowers') return tileLines(board.seats[seat]!)
  return groupLines(board.seats[seat]!)
}

type SeatOf<T extends AnyBoard['type']> = Extract<AnyBoard, { type: T }>['seats'][number]

const empty = (place: number): Line => {
  return { colour: null, tiles: [], sum: '–', points: 0, text: resultWords.free(place), isEmpty: true }
}

function cupLines({ river, cup, secret }: SeatOf<'mandala'>): Line[] {
  const inCup = COLOURS.map((_, index) => cup[index]! + secret[index]!)
  const lines = river.map((letter, index): Line => {
    if (!letter) return empty(index + 1)
    const colour = letter as Colour
    const count = inCup[COLOURS.indexOf(colour)]!
    const text = resultWords.cup(count, colourNames[colour], index + 1)
    return { colour, tiles: [], sum: `${count} × ${index + 1}`, points: count * (index + 1), text }
  })
  const lost = COLOURS.reduce((sum, each, index) => sum + (river.includes(each) ? 0 : inCup[index]!), 0)
  if (!lost) return lines
  const text = resultWords.lostCards(lost)
  return [...lines, { colour: null, tiles: [], sum: text, points: 0, text }]
}

function groupLines({ groups }: SeatOf<'patterns'>): Line[] {
  return [1, 2, 3, 4, 5, 6].map((place): Line => {
    const group = groups.find(({ number }) => number === place)
    if (!group) return empty(place)
    const { size, points } = group
    const colour = group.colour as Colour
    const text = resultWords.group(size, colourNames[colour], place)
    return { colour, tiles: [], sum: `${size - 1} × ${place}`, points, text }
  })
}

function tileLines({ flowers, singles, points }: SeatOf<'flowers'>): Line[] {
  const lines = flowers.map((flower): Line => {
    const sum = flowerSum(flower.tiles)
    const colour = colourNames[flower.tiles[0]![0] as Colour]
    const text = resultWords.flower(colour, sum)
    return { colour: null, tiles: flower.tiles, sum, points: flower.points, text }
  })
  if (!singles.length) return lines
  const rest = points - lines.reduce((sum, line) => sum + line.points, 0)
  const names = singles.map((tile) => `${colourNames[tile[0] as Colour]} ${valueOf(tile)}`)
  const text = resultWords.singles(names.join(', '))
  return [...lines, { colour: null, tiles: singles, sum: '', points: rest, text }]
}

const valueOf = (tile: string): string => (tile[1] === 'x' ? '×3' : tile[1]!)

/** How the two tiles of a flower count together. */
function flowerSum(tiles: string[]): string {
  const [low, high] = tiles.map(valueOf).toSorted()
  return high!.startsWith('×') ? `3×${low}` : `2×${low}+${high}`
}
