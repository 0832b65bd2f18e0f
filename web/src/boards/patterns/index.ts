import type { PatternsBoard } from '../../api/types'
import type { GameModule } from '../contract'
import { spacesIn } from './geometry'
import { moveText, shortcuts, words } from './game.text'
import Picture from './Picture.svelte'
import { pointLines } from './points'

export const game: GameModule<PatternsBoard> = {
  id: 'patterns',
  order: 2,
  seats: [2],
  hasHiddenHands: false,
  showsNamesAndPoints: true,
  isFullWidth: true,
  words,
  Picture,
  shortcuts,
  moveText,
  placesIn: spacesIn,
  pointLines,
}
