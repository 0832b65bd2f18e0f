import type { MandalaSeat } from '../../api/types'
import { COLOURS, type Colour } from '../../look/colours'
import { colourNames } from '../../look/colours.text'
import type { PointLine } from '../contract'
import { emptyLine, line } from '../points'
import { words } from './game.text'

/** A line for each place of the river, and one for the cards in the cup that score nothing. */
export function pointLines({ river, cup, secret }: MandalaSeat): PointLine[] {
  const inCup = COLOURS.map((_, index) => cup[index]! + secret[index]!)
  const lines = river.map((letter, index) => {
    if (!letter) return emptyLine(index + 1)
    const colour = letter as Colour
    const count = inCup[COLOURS.indexOf(colour)]!
    const text = words.inCup(count, colourNames[colour], index + 1)
    return line(text, `${count} × ${index + 1}`, count * (index + 1), colour)
  })
  const lost = COLOURS.reduce((sum, each, index) => sum + (river.includes(each) ? 0 : inCup[index]!), 0)
  if (!lost) return lines
  const text = words.notInRiver(lost)
  return [...lines, line(text, text, 0)]
}
