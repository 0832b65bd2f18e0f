import type { MandalaBoard } from '../../api/types'
import type { GameModule } from '../contract'
import { moveText, shortcuts, words } from './game.text'
import Picture from './Picture.svelte'
import { pointLines } from './points'

export const game: GameModule<MandalaBoard> = {
  id: 'mandala',
  order: 1,
  seats: [2],
  hasHiddenHands: true,
  showsNamesAndPoints: false,
  isFullWidth: false,
  words,
  Picture,
  shortcuts,
  moveText,
  placesIn: () => [], // its sentences name no coordinates
  pointLines,
}
