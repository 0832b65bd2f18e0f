/**
 * What the boards of cards, Mandala and Flowers, have in common: cards are chosen from the hand and
 * laid somewhere, by taps or by keys; a mandala that is dissolved asks for something else; and what
 * changed is shown. Made by a board as it is set up.
 */
import { untrack } from 'svelte'
import { COLOURS, type Colour } from '../look/colours'
import { Change } from './change.svelte'
import { Choice } from './choice.svelte'
import type { AnyBoard, BoardProps } from './contract'
import type { Flight } from './flights.svelte'
import { isForBoard } from './keyboard'
import { seatName, words } from './words.text'

interface Own<B> {
  propose: (counts: number[]) => number // which of the legal numbers of cards
  takesOne?: (target: string) => boolean // whether only one card can go there
  targets: Record<string, string> // by the key that means them
  flights: (before: B, after: B, last: string[], lastSeat: number) => Flight[]
  take: (key: string) => boolean // while dissolving; whether the key means anything
  press?: (key: string) => boolean // any other key
}

type BoardWithHands = Extract<AnyBoard, { mandalas: unknown[] }>

export class CardBoard<B extends BoardWithHands> {
  readonly choice: Choice
  readonly change: Change<B>
  readonly #given: () => BoardProps<B>
  readonly #own: Own<B>

  constructor(given: () => BoardProps<B>, root: () => HTMLElement | undefined, own: Own<B>) {
    this.#given = given
    this.#own = own
    this.choice = new Choice(
      () => ({ ...given(), hand: this.hand }),
      own.propose,
      own.takesOne ?? (() => false),
    )
    this.change = new Change(
      () => given().board,
      root,
      (before, after) => {
        const { last, lastSeat } = given()
        return lastSeat === null ? [] : own.flights(before, after, last, lastSeat)
      },
    )
    $effect(() => {
      const { board, legal } = given()
      void [board, legal]
      untrack(() => this.choice.keep())
    })
  }

  /** The viewer's cards, by colour. */
  get hand(): readonly number[] {
    const { board, viewer } = this.#given()
    return viewer === null ? [] : (board.seats[viewer - 1]?.hand ?? [])
  }

  get isYours(): boolean {
    const { viewer, actor } = this.#given()
    return viewer !== null && actor === viewer
  }

  /** The number of the mandala that is being dissolved, or 0. */
  get dissolving(): number {
    return this.#given().board.mandalas.findIndex((area) => area.dissolving) + 1
  }

  /** The viewer's choice, if there is anything to choose. */
  get open(): Choice | null {
    const { board, viewer } = this.#given()
    return viewer !== null && board.phase !== 'over' ? this.choice : null
  }

  nameOf(seat: number): string {
    const { seats, viewer } = this.#given()
    return seat === viewer ? words.you : seatName(seats, seat)
  }

  /** Make a move, or have it explained why that cannot be. */
  attempt(move: string): void {
    const { legal, onmove, onwhy } = this.#given()
    if (legal.includes(move)) onmove(move)
    else onwhy(move)
  }

  readonly press = (event: KeyboardEvent): void => {
    if (this.open !== null && isForBoard(event) && this.#means(event.key.toLowerCase())) {
      event.preventDefault()
    }
  }

  #means(key: string): boolean {
    const { choice } = this
    const target = choice.colour && this.#own.targets[key]
    const index = COLOURS.indexOf(key as Colour)
    if (key === 'escape' && choice.colour) choice.drop()
    else if (this.dissolving) return this.isYours && this.#own.take(key)
    else if (index >= 0) {
      if ((this.hand[index] ?? 0) > 0) choice.pick(key as Colour)
    } else if (this.#own.press?.(key)) return true
    else if (choice.target && /^[1-9]$/.test(key)) choice.set(Number(key))
    else if (choice.target && (key === '+' || key === 'arrowup')) choice.set(choice.count + 1)
    else if (choice.target && (key === '-' || key === 'arrowdown')) choice.set(choice.count - 1)
    else if (target) choice.aim(target)
    else return false
    return true
  }
}
