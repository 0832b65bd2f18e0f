/**
 * The board before the current one, and the animation from one to the other. Must be created while
 * the board component is initialised.
 */
import { untrack } from 'svelte'
import { Flights, type Flight } from './flights.svelte'

export class BoardTransition<B> {
  before: B | null = $state.raw(null)
  readonly flights = new Flights()
  #current: B | null = null
  #isNew = false

  constructor(
    board: () => B,
    root: () => HTMLElement | undefined,
    flightsOf: (before: B, after: B) => Flight[],
  ) {
    $effect.pre(() => {
      const next = board()
      if (JSON.stringify(next) === JSON.stringify(this.#current)) return // an event that changed only the table
      untrack(() => {
        this.flights.recordPlaces(root())
        this.before = this.#current
        this.#current = next
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
