/** What a game's folder gives to the page, and what the page gives to a game's board. */
import type { Component } from 'svelte'
import type { TableState } from '../api/types'
import type { Colour } from '../look/colours'

export type AnyBoard = NonNullable<TableState['board']>

/** All that the page knows about a game besides its board; the `game` that its `index.ts` exports. */
export interface GameModule<B extends AnyBoard = AnyBoard> {
  id: B['type']
  order: number // on the home screen
  seats: readonly number[] // how many seats it can be played with, the default first
  hasHiddenHands: boolean // seats see different things: a shared device needs a curtain
  showsNamesAndPoints: boolean // the board itself has the name and the points of each seat
  isFullWidth: boolean // the board needs the whole width of a phone
  words: GameWords
  Picture: Component // the content of an SVG of 320 by 180
  /** The keys of the board, for the help. */
  shortcuts(): Shortcut[]
  /** A move in words, for the player who makes it. */
  moveText(move: string): string
  /** The places on the board that a sentence names by their notation. */
  placesIn(sentence: string): string[]
  /** What a seat's points are made of; line n is about the same thing for all seats. */
  pointLines(seat: B['seats'][number]): PointLine[]
}

export interface GameWords {
  name: string
  about: string // one or two sentences for the home screen
  facts: string // players, minutes, hidden information
  intro: string // the goal, for a player's first game
  scoring: string // how the points are counted
  tieBreak: string // who wins when points are level; empty where the win is shared
}

export interface Shortcut {
  keys: string[] // any of them
  does: string
}

export interface PointLine {
  colour: Colour | null // of the cards or the group
  flower: string[] // two tiles, drawn as a blossom
  tiles: string[] // single tiles, drawn instead of the sum
  sum: string // the calculation
  points: number
  text: string // the same in words
  isEmpty: boolean // nothing there: left out when it is so for all seats
}

/**
 * What every board is given. A board draws what the server sent and knows no rules: what can be
 * done is in `legal`, in notation; anything else that a player tries goes to `onwhy`.
 */
export interface BoardProps<B extends AnyBoard = AnyBoard> {
  board: B
  names: string[] // of the seats, complete for the viewer's language
  viewer: number | null // the seat drawn at the bottom; null for spectators
  actor: number | null // the seat that decides
  legal: string[] // empty unless the viewer decides
  last: string[] // the plies of the last event, chance included
  lastSeat: number | null // who made it
  marked?: string[] // the places that a sentence names: a hint, a lesson, an entry of the log
  onmove: (move: string) => void
  onwhy: (move: string) => void
}
