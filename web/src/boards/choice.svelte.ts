/**
 * Choosing a move of cards: a colour from the hand, then where they go, then how many. A move is
 * written target first, then a letter for each card (`B2ggg`, `1rr`); what is legal comes from
 * outside, and everything else is asked about.
 */
import type { Colour } from '../look/colours'

interface Given {
  legal: string[]
  hand: readonly number[] // by colour
  onmove: (move: string) => void
  onwhy: (move: string) => void
}

export interface Parts {
  target: string
  colour: Colour
  count: number
}

const CARD_MOVE = /^([ABC]?[123]?)(([roygvk])\3*)$/

/** A move of cards in its parts, or nothing when it is another kind of move. */
export function parts(move: string): Parts | null {
  const found = CARD_MOVE.exec(move)
  if (!found || !found[1]) return null
  return { target: found[1], colour: found[3] as Colour, count: found[2]!.length }
}

export class Choice {
  colour: Colour | null = $state(null)
  target: string | null = $state(null)
  count = $state(1)
  readonly #given: () => Given
  readonly #propose: (counts: number[]) => number
  readonly #takesOne: (target: string) => boolean

  /** `propose` picks one of the legal numbers of cards; some targets take one card at most. */
  constructor(
    given: () => Given,
    propose: (counts: number[]) => number,
    takesOne: (target: string) => boolean,
  ) {
    this.#given = given
    this.#propose = propose
    this.#takesOne = takesOne
  }

  /** How many cards of a colour may go to a target. */
  counts(target: string, colour: Colour | null = this.colour): number[] {
    const found = this.#given().legal.map(parts)
    return found
      .flatMap((each) => (each?.target === target && each.colour === colour ? [each.count] : []))
      .sort((a, b) => a - b)
  }

  /** Whether cards of the colour chosen may go to a target. */
  accepts(target: string): boolean {
    return this.colour !== null && this.counts(target).length > 0
  }

  pick(colour: Colour): void {
    const again = this.colour === colour
    this.drop()
    if (!again) this.colour = colour
  }

  /** Point at a target: done when only one number of cards makes sense, else asked how many. */
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
      this.#given().onwhy(target + colour)
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
    return this.colour === null ? 0 : (this.#given().hand['roygvk'.indexOf(this.colour)] ?? 0)
  }

  /** Choose how many; where the rules forbid it, ask why. */
  set(count: number): void {
    if (this.target === null || this.colour === null || count < 1 || count > this.held) return
    if (this.counts(this.target).includes(count)) this.count = count
    else this.#given().onwhy(this.target + this.colour.repeat(count))
  }

  confirm(): void {
    if (this.target !== null) this.#play(this.target, this.count)
  }

  /** After news: keep what can still be chosen, so that people may choose while others move. */
  keep(): void {
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
    this.#given().onmove(move)
  }
}
