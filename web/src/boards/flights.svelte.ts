/**
 * Animation of cards that move. Before a board changes, `recordPlaces` stores where everything is;
 * afterwards `launch` moves copies of the cards from there to their new places. The copies are above
 * the board, which never waits for them.
 */
import type { Face } from '../look/colours'
import { animationMs } from '../prefs.svelte'

/** Cards, or a tile, that move from one place to another; places are `data-place` names. */
export interface Flight {
  colour: Face
  count: number
  from: string
  to: string
  wave: number // flights of one wave start together, then the next wave
  tile?: string // a tile instead, as in notation
  isSand?: boolean // pours as grains of sand instead
  isDrawn?: boolean // from a pile, where it was not visible
  fillsPlace?: boolean // the target was there before, empty
}

/** Cards drawn from the pile, each to the stack of its colour at a place. */
export function drawFlights(drawn: Face[], to: string, wave: number): Flight[] {
  return drawn.map((colour) => {
    return { colour, count: 1, from: 'pile', to: `${to}-${colour}`, wave, isDrawn: true }
  })
}

export interface Ghost extends Flight {
  id: number
  start: DOMRect
  end: DOMRect
  delay: number
  duration: number
}

const MAX_FLIGHTS = 14 // more at once cannot be followed: none is shown
const FLIGHT_MS = 420
const WAVE_MS = 260 // between two waves
const STAGGER_MS = 40 // between two flights of a wave
const MIN_INTERVAL_MS = 150 // changes that follow faster are not animated

export class Flights {
  ghosts: Ghost[] = $state.raw([])
  #before = new Map<string, DOMRect>()
  #next = 0
  #last = -Infinity
  #hidden: Animation[] = []

  recordPlaces(root: HTMLElement | undefined): void {
    this.#before.clear()
    for (const each of places(root)) {
      this.#before.set(each.dataset.place!, each.getBoundingClientRect())
    }
  }

  launch(root: HTMLElement | undefined, flights: Flight[]): void {
    const now = performance.now()
    const isTooSoon = now - this.#last < MIN_INTERVAL_MS
    this.#last = now
    const duration = animationMs(FLIGHT_MS)
    for (const hiding of this.#hidden.splice(0)) hiding.cancel()
    if (duration === 0 || isTooSoon || flights.length > MAX_FLIGHTS) {
      this.ghosts = []
      return
    }
    const after = new Map(places(root).map((each) => [each.dataset.place!, each] as const))
    const inWave: number[] = []
    this.ghosts = flights.flatMap((flight) => {
      const start = nearest(flight.from, (name) => this.#before.get(name))
      const end = nearest(flight.to, (name) => after.get(name)?.getBoundingClientRect())
      if (!start || !end) return []
      const order = (inWave[flight.wave] = (inWave[flight.wave] ?? -1) + 1)
      const delay = flight.wave * animationMs(WAVE_MS) + order * animationMs(STAGGER_MS)
      const landing = after.get(flight.to)
      if (landing && (!this.#before.has(flight.to) || flight.fillsPlace)) {
        this.#hidden.push(hideUntil(landing, delay + duration))
      }
      return [{ ...flight, id: this.#next++, start, end, delay, duration }]
    })
  }

  land(id: number): void {
    this.ghosts = this.ghosts.filter((ghost) => ghost.id !== id)
  }
}

/** Hide the target of a flight until it lands. */
function hideUntil(landing: HTMLElement, milliseconds: number): Animation {
  return landing.animate([{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }], milliseconds)
}

function places(root: HTMLElement | undefined): HTMLElement[] {
  return root ? [...root.querySelectorAll<HTMLElement>('[data-place]')] : []
}

/** The result for a name, or for the place that contains it: `hand-1-r`, then `hand-1`. */
function nearest<T>(name: string, find: (name: string) => T | undefined): T | undefined {
  const found = find(name)
  const end = name.lastIndexOf('-')
  return found !== undefined || end < 0 ? found : nearest(name.slice(0, end), find)
}
