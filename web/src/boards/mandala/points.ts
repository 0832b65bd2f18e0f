import type { MandalaSeat } from '../../api/types'
import type { Colour } from '../../look/colours'
import { colourNames } from '../../look/colours.text'
import type { PointLine } from '../contract'
import { emptyLine, line } from '../points'
import { words } from './game.text'

/** A line for each place of the river, and one for the cards in the cup that score nothing. */
export function pointLines({ scoring, unscored }: MandalaSeat): PointLine[] {
  const lines = scoring.map(({ colour, count, factor, points }) => {
    if (!colour) return emptyLine(factor)
    const text = words.inCup(count, colourNames[colour as Colour], factor)
    return line(text, `${count} × ${factor}`, points, colour as Colour)
  })
  if (!unscored) return lines
  const text = words.notInRiver(unscored)
  return [...lines, line(text, text, 0)]
}
