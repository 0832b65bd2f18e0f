/** Flower tiles, written as in notation: `k7`, `yx`. */
import type { Colour } from './colours'
import { colourNames } from './colours.text'

/** What a tile is worth, `7` or `×3`. */
export function tileValue(tile: string): string {
  return tile[1] === 'x' ? '×3' : tile[1]!
}

/** A tile in words, `black 7`. */
export function tileName(tile: string): string {
  return `${colourNames[tile[0] as Colour]} ${tileValue(tile)}`
}
