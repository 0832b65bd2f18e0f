import type { FlowersBoard } from '../../api/types'
import type { GameModule } from '../contract'
import { moveText, shortcuts, words } from './game.text'
import Picture from './Picture.svelte'
import { pointLines } from './points'

export const game: GameModule<FlowersBoard> = {
  id: 'flowers',
  order: 3,
  seats: [2, 3, 4],
  hasHiddenHands: true,
  showsNamesAndPoints: true,
  isFullWidth: false,
  words,
  Picture,
  shortcuts,
  moveText,
  placesIn: () => [], // its sentences name no coordinates
  pointLines,
}
