/**
 * Cards on their way. Before a board changes, `look` remembers where everything was; afterwards
 * `launch` lets cards fly from there to where they lie now. The board itself never waits: what
 * flies is a copy above it, moved by transform alone.
 */
import type { Face } from '../look/colours'
import { animationMs } from '../prefs.svelte'

/** Cards, or a tile, that go from one place to another; the places are `data-place` names. */
export interface Flight {
  colour: Face
  count: number
  from: string
  to: string
  wave: number // those of one wave fly together, the next follow
  tile?: string // a tile instead, as in notation
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

const MOST = 14 // more at once explain nothing
const TAKES = 420
const WAVE = 260
const NEXT = 40 // between those of one wave
const TOO_SOON = 150 // milliseconds: news in a hurry are not shown

export class Flights {
  ghosts: Ghost[] = $state.raw([])
  #before = new Map<string, DOMRect>()
  #next = 0
  #last = -Infinity
  #hidden: Animation[] = []

  look(root: HTMLElement | undefined): void {
    this.#before.clear()
    for (const each of places(root)) {
      this.#before.set(each.dataset.place!, each.getBoundingClientRect())
    }
  }

  launch(root: HTMLElement | undefined, flights: Flight[]): void {
    const now = performance.now()
    const isHurried = now - this.#last < TOO_SOON
    this.#last = now
    const duration = animationMs(TAKES)
    for (const hiding of this.#hidden.splice(0)) hiding.cancel()
    if (duration === 0 || isHurried || flights.length > MOST) {
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
      const delay = flight.wave * animationMs(WAVE) + order * animationMs(NEXT)
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

/** What has just come is not there before it has landed. */
function hideUntil(landing: HTMLElement, milliseconds: number): Animation {
  return landing.animate([{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }], milliseconds)
}

function places(root: HTMLElement | undefined): HTMLElement[] {
  return root ? [...root.querySelectorAll<HTMLElement>('[data-place]')] : []
}

/** What is found under a name, or under the name of what it is in: `hand-1-r`, then `hand-1`. */
function nearest<T>(name: string, find: (name: string) => T | undefined): T | undefined {
  const found = find(name)
  const end = name.lastIndexOf('-')
  return found !== undefined || end < 0 ? found : nearest(name.slice(0, end), find)
}
