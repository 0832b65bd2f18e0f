/**
 * Choosing a move of cards: a colour from the hand, then a target, then how many. A move is written
 * target first, then a letter for each card (`B2ggg`, `1rr`). Choosing an illegal one calls `onwhy`.
 */
import type { Colour } from '../look/colours'

interface Inputs {
  legal: string[]
  hand: readonly number[] // by colour
  onmove: (move: string) => void
  onwhy: (move: string) => void
}

export interface CardMove {
  target: string
  colour: Colour
  count: number
}

const CARD_MOVE = /^([ABC]?[123]?)(([roygvk])\3*)$/

/** The parts of a move of cards, or null for other moves. */
export function parseCardMove(move: string): CardMove | null {
  const found = CARD_MOVE.exec(move)
  if (!found || !found[1]) return null
  return { target: found[1], colour: found[3] as Colour, count: found[2]!.length }
}

export class Choice {
  colour: Colour | null = $state(null)
  target: string | null = $state(null)
  count = $state(1)
  readonly #inputs: () => Inputs
  readonly #propose: (counts: number[]) => number
  readonly #takesOne: (target: string) => boolean

  /** `propose` picks one of the legal numbers of cards; some targets take one card at most. */
  constructor(
    inputs: () => Inputs,
    propose: (counts: number[]) => number,
    takesOne: (target: string) => boolean,
  ) {
    this.#inputs = inputs
    this.#propose = propose
    this.#takesOne = takesOne
  }

  /** How many cards of a colour may go to a target. */
  counts(target: string, colour: Colour | null = this.colour): number[] {
    const found = this.#inputs().legal.map(parseCardMove)
    return found
      .flatMap((each) => (each?.target === target && each.colour === colour ? [each.count] : []))
      .sort((a, b) => a - b)
  }

  /** Whether cards of the colour chosen may go to a target. */
  accepts(target: string): boolean {
    return this.colour !== null && this.counts(target).length > 0
  }

  pick(colour: Colour): void {
    const isChosen = this.colour === colour
    this.drop()
    if (!isChosen) this.colour = colour
  }

  /** Choose a target: plays at once when there is only one sensible count, else asks for it. */
  aim(target: string): void {
    const { colour } = this
    if (colour === null) return
    if (this.target === target) {
      this.target = null
      return
    }
    const counts = this.counts(target)
    const [only] = counts
    if (only === undefined) {
      this.target = null
      this.#inputs().onwhy(target + colour)
      return
    }
    if (counts.length === 1 && (only === this.held || this.#takesOne(target))) {
      this.#play(target, only)
      return
    }
    this.target = target
    this.count = this.#propose(counts)
  }

  /** How many of the colour are in the hand. */
  get held(): number {
    return this.colour === null ? 0 : (this.#inputs().hand['roygvk'.indexOf(this.colour)] ?? 0)
  }

  /** Choose how many; for an illegal count, ask why. */
  set(count: number): void {
    if (this.target === null || this.colour === null || count < 1 || count > this.held) return
    if (this.counts(this.target).includes(count)) this.count = count
    else this.#inputs().onwhy(this.target + this.colour.repeat(count))
  }

  confirm(): void {
    if (this.target !== null) this.#play(this.target, this.count)
  }

  /** After an event: drop what can no longer be chosen. Players may choose while others move. */
  revalidate(): void {
    if (this.held === 0) this.drop()
    else if (this.target !== null && !this.counts(this.target).includes(this.count)) {
      this.target = null
    }
  }

  drop(): void {
    this.colour = null
    this.target = null
  }

  #play(target: string, count: number): void {
    const move = target + this.colour!.repeat(count)
    this.drop()
    this.#inputs().onmove(move)
  }
}
