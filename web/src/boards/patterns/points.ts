import type { PatternsSeat } from '../../api/types'
import type { Colour } from '../../look/colours'
import { colourNames } from '../../look/colours.text'
import type { PointLine } from '../contract'
import { emptyLine, line } from '../points'
import { words } from './game.text'

/** A line for each number that a group can have. */
export function pointLines({ groups }: PatternsSeat): PointLine[] {
  return [1, 2, 3, 4, 5, 6].map((place) => {
    const group = groups.find(({ number }) => number === place)
    if (!group) return emptyLine(place)
    const { size, scored, points } = group
    const colour = group.colour as Colour
    return line(words.group(size, colourNames[colour], place), `${scored} × ${place}`, points, colour)
  })
}
