import type { AnyBoard } from '../../boards/contract'
import { colourNames } from '../../look/colours.text'
import { COLOURS, type Colour } from '../../look/colours'
import { resultWords } from './result.text'

export interface Item {
  text: string
  points: number
}

/** What a seat's points are made of, as the board shows it. */
export function breakdown(board: AnyBoard, seat: number): Item[] {
  if (board.type === 'mandala') {
    const { river, cup, secret } = board.seats[seat]!
    return river.flatMap((letter, index) => {
      const colour = COLOURS.indexOf(letter as Colour)
      const count = colour < 0 ? 0 : cup[colour]! + secret[colour]!
      if (!count) return []
      const name = colourNames[letter as Colour]
      return [{ text: resultWords.cup(count, name, index + 1), points: count * (index + 1) }]
    })
  }
  if (board.type === 'patterns') {
    return board.seats[seat]!.groups.map(({ size, colour, number, points }) => ({
      text: resultWords.group(size, colourNames[colour as Colour], number),
      points,
    }))
  }
  const { flowers, singles, points } = board.seats[seat]!
  const items = flowers.map((flower) => ({
    text: resultWords.flower(
      colourNames[flower.tiles[0]![0] as Colour],
      flower.tiles.map(valueOf).join(' + '),
    ),
    points: flower.points,
  }))
  const rest = points - items.reduce((sum, item) => sum + item.points, 0)
  if (!singles.length) return items
  const tiles = singles.map((tile) => `${colourNames[tile[0] as Colour]} ${valueOf(tile)}`)
  return [...items, { text: resultWords.singles(tiles.join(', ')), points: rest }]
}

function valueOf(tile: string): string {
  return tile.slice(1).replace('x', '×3')
}
