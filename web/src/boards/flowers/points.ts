import type { FlowersSeat } from '../../api/types'
import type { Colour } from '../../look/colours'
import { colourNames } from '../../look/colours.text'
import { tileName, tileValue } from '../../look/tiles'
import type { PointLine } from '../contract'
import { line } from '../points'
import { words } from './game.text'

/** A line for each flower, and one for all single tiles. */
export function pointLines({ flowers, singles, points }: FlowersSeat): PointLine[] {
  const lines = flowers.map((flower) => {
    const sum = flowerSum(flower.tiles)
    const text = words.flower(colourNames[flower.tiles[0]![0] as Colour], sum)
    return { ...line(text, sum, flower.points), flower: flower.tiles }
  })
  if (!singles.length) return lines
  const rest = points - lines.reduce((sum, each) => sum + each.points, 0)
  const text = words.singles(singles.map(tileName).join(', '))
  return [...lines, { ...line(text, '', rest), tiles: singles }]
}

/** How the two tiles of a flower count together. */
function flowerSum(tiles: string[]): string {
  const [low, high] = tiles.map(tileValue).toSorted()
  return high!.startsWith('×') ? `3×${low}` : `2×${low}+${high}`
}
