import type { FlowersSeat } from '../../api/types'
import type { Colour } from '../../look/colours'
import { colourNames } from '../../look/colours.text'
import { tileName } from '../../look/tiles'
import type { PointLine } from '../contract'
import { line } from '../points'
import { words } from './game.text'

/** A line for each flower, and one for all single tiles. */
export function pointLines({ flowers, singles, single_points }: FlowersSeat): PointLine[] {
  const lines = flowers.map(({ tiles, terms, points }) => {
    const sum = terms.map(({ factor, value }) => (factor === 1 ? value : `${factor}×${value}`)).join('+')
    const text = words.flower(colourNames[tiles[0]![0] as Colour], sum)
    return { ...line(text, sum, points), flower: tiles }
  })
  if (!singles.length) return lines
  const text = words.singles(singles.map(tileName).join(', '))
  return [...lines, { ...line(text, '', single_points), tiles: singles }]
}
