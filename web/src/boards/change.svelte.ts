/**
 * The board before the one shown, and cards flying from one to the other. Made by a board as it
 * is set up.
 */
import { untrack } from 'svelte'
import { Flights, type Flight } from './flights.svelte'

export class Change<B> {
  before: B | null = $state.raw(null)
  readonly flights = new Flights()
  #shown: B | null = null
  #isNew = false

  constructor(
    board: () => B,
    root: () => HTMLElement | undefined,
    flightsOf: (before: B, after: B) => Flight[],
  ) {
    $effect.pre(() => {
      const next = board()
      if (JSON.stringify(next) === JSON.stringify(this.#shown)) return // news about the table only
      untrack(() => {
        this.flights.look(root())
        this.before = this.#shown
        this.#shown = next
        this.#isNew = true
      })
    })
    $effect(() => {
      const after = board()
      untrack(() => {
        if (this.before && this.#isNew) this.flights.launch(root(), flightsOf(this.before, after))
        this.#isNew = false
      })
    })
  }
}
