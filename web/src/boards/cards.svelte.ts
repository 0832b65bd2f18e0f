/**
 * The logic that the boards with a hand of cards share: cards are chosen from the hand and laid
 * somewhere, by taps or keys; dissolving a mandala has keys of its own; changes are animated.
 * Must be created while the board component is initialised.
 */
import { untrack } from 'svelte'
import { COLOURS, type Colour } from '../look/colours'
import { BoardTransition } from './transition.svelte'
import { Choice } from './choice.svelte'
import type { AnyBoard, BoardProps } from './contract'
import type { Flight } from './flights.svelte'
import { isForBoard } from './keyboard'
import { words } from './words.text'

interface Options<B> {
  propose: (counts: number[]) => number // which of the legal numbers of cards
  takesOne?: (target: string) => boolean // whether only one card can go there
  targets: Record<string, string> // by their key
  flights: (before: B, after: B, last: string[], lastSeat: number) => Flight[]
  dissolveKey: (key: string) => boolean // a key while dissolving; whether it was used
  otherKey?: (key: string) => boolean // any other key; whether it was used
}

type BoardWithHands = Extract<AnyBoard, { mandalas: unknown[] }>

export class CardBoard<B extends BoardWithHands> {
  readonly choice: Choice
  readonly transition: BoardTransition<B>
  readonly #props: () => BoardProps<B>
  readonly #options: Options<B>

  constructor(props: () => BoardProps<B>, root: () => HTMLElement | undefined, options: Options<B>) {
    this.#props = props
    this.#options = options
    this.choice = new Choice(
      () => ({ ...props(), hand: this.hand }),
      options.propose,
      options.takesOne ?? (() => false),
    )
    this.transition = new BoardTransition(
      () => props().board,
      root,
      (before, after) => {
        const { last, lastSeat } = props()
        return lastSeat === null ? [] : options.flights(before, after, last, lastSeat)
      },
    )
    $effect(() => {
      const { board, legal } = props()
      void [board, legal]
      untrack(() => this.choice.revalidate())
    })
  }

  /** The viewer's cards, by colour. */
  get hand(): readonly number[] {
    const { board, viewer } = this.#props()
    return viewer === null ? [] : (board.seats[viewer - 1]?.hand ?? [])
  }

  get isYours(): boolean {
    const { viewer, actor } = this.#props()
    return viewer !== null && actor === viewer
  }

  /** The number of the mandala that is being dissolved, or 0. */
  get dissolving(): number {
    return this.#props().board.mandalas.findIndex((area) => area.dissolving) + 1
  }

  /** The viewer's choice; null for spectators and after the end. */
  get activeChoice(): Choice | null {
    const { board, viewer } = this.#props()
    return viewer !== null && board.phase !== 'over' ? this.choice : null
  }

  nameOf(seat: number): string {
    const { names, viewer } = this.#props()
    return seat === viewer ? words.you : names[seat - 1]!
  }

  /** Make a move if it is legal, otherwise ask why it is not. */
  attempt(move: string): void {
    const { legal, onmove, onwhy } = this.#props()
    if (legal.includes(move)) onmove(move)
    else onwhy(move)
  }

  readonly handleKey = (event: KeyboardEvent): void => {
    if (this.activeChoice !== null && isForBoard(event) && this.#applyKey(event.key.toLowerCase())) {
      event.preventDefault()
    }
  }

  #applyKey(key: string): boolean {
    const { choice } = this
    const target = choice.colour && this.#options.targets[key]
    const index = COLOURS.indexOf(key as Colour)
    if (key === 'escape' && choice.colour) choice.drop()
    else if (this.dissolving) return this.isYours && this.#options.dissolveKey(key)
    else if (index >= 0) {
      if ((this.hand[index] ?? 0) > 0) choice.pick(key as Colour)
    } else if (this.#options.otherKey?.(key)) return true
    else if (choice.target && /^[1-9]$/.test(key)) choice.set(Number(key))
    else if (choice.target && (key === '+' || key === 'arrowup')) choice.set(choice.count + 1)
    else if (choice.target && (key === '-' || key === 'arrowdown')) choice.set(choice.count - 1)
    else if (target) choice.aim(target)
    else return false
    return true
  }
}
