/** What moves on the board: a tile that turns over, two that change places, one that is dragged. */
import { tick, untrack } from 'svelte'
import type { PatternsBoard } from '../../api/types'
import { animationMs } from '../../prefs.svelte'
import { SIDE } from './geometry'
import { changeOf, type Change } from './moves'

type Room = () => HTMLElement | undefined

/** The move that led to the board shown, while it happens. Made by a board as it is set up. */
export class Happening {
  change: Change | null = $state.raw(null)
  #before: PatternsBoard | null = null
  readonly #room: Room

  constructor(board: () => PatternsBoard, room: Room) {
    this.#room = room
    $effect(() => {
      const next = board()
      const change = this.#before === null ? null : changeOf(this.#before, next)
      this.#before = next
      const isShown = change !== null && untrack(() => animationMs(1)) > 0
      this.change = isShown ? change : null
      if (isShown) void tick().then(() => this.#perform(change))
    })
  }

  #find(selector: string): HTMLElement | null {
    return this.#room()?.querySelector<HTMLElement>(selector) ?? null
  }

  #perform(change: Change): void {
    const done = () => {
      if (this.change === change) this.change = null
    }
    const moves = change.isFlip ? this.#turn() : this.#swap(change)
    void moves?.finished.then(done, done)
  }

  #turn(): Animation | undefined {
    const turn = { duration: animationMs(260), easing: 'ease-in' }
    return this.#find('.turning')?.animate({ transform: ['scaleX(1)', 'scaleX(0)'] }, turn)
  }

  #swap({ space, seat }: Change): Animation | undefined {
    const onBoard = this.#find(`[data-space="${space}"]`)?.getBoundingClientRect()
    const inBowl = this.#find(`[data-bowl="${seat}"]`)?.getBoundingClientRect()
    const room = this.#room()?.getBoundingClientRect()
    if (onBoard === undefined || inBowl === undefined || room === undefined) return undefined
    const at = ({ x, y, width, height }: DOMRect, scale: number) =>
      `translate(${x + width / 2 - room.x - 22}px, ${y + height / 2 - room.y - 22}px) scale(${scale})`
    const here = at(onBoard, onBoard.width / SIDE)
    const there = at(inBowl, inBowl.width / 58)
    const calm = { duration: animationMs(380), easing: 'cubic-bezier(.4, 0, .2, 1)' }
    this.#find('.cover')?.animate({ opacity: [1, 1, 0], offset: [0, 0.9, 1] }, calm)
    this.#find(`[data-bowl="${seat}"] .exchange`)?.animate(
      { opacity: [0, 0, 1], offset: [0, 0.9, 1] },
      calm,
    )
    this.#find('.piece.new')?.animate(
      { transform: ['translateY(-16px) scale(1.4)', 'none'], opacity: [0, 1] },
      { duration: animationMs(200), delay: calm.duration, fill: 'backwards', easing: 'ease-in' },
    )
    this.#find('.flies.out')?.animate({ transform: [here, there] }, calm)
    return this.#find('.flies.in')?.animate({ transform: [there, here] }, calm)
  }
}

interface Dragged {
  onover: (space: string | null) => void // what lies under it now
  ondrop: (space: string | null) => void
}

const FAR = 8 // pixels after which a press is a drag

/** The exchange tile as it is dragged from the bowl onto a space. */
export class Drag {
  at: { x: number; y: number } | null = $state(null) // in the room
  readonly #room: Room
  readonly #to: Dragged

  constructor(room: Room, to: Dragged) {
    this.#room = room
    this.#to = to
  }

  readonly start = (event: PointerEvent): void => {
    if (event.button !== 0) return
    const from = { x: event.clientX, y: event.clientY }
    const moved = (now: PointerEvent) => {
      const isFar = Math.hypot(now.clientX - from.x, now.clientY - from.y) > FAR
      if (this.at === null && !isFar) return
      const { x, y } = this.#room()!.getBoundingClientRect()
      this.at = { x: now.clientX - x, y: now.clientY - y }
      this.#to.onover(spaceUnder(now))
    }
    const dropped = (now: PointerEvent) => end(spaceUnder(now))
    const stopped = () => end(null)
    const end = (space: string | null) => {
      removeEventListener('pointermove', moved)
      removeEventListener('pointerup', dropped)
      removeEventListener('pointercancel', stopped)
      if (this.at === null) return
      this.at = null
      this.#to.ondrop(space)
    }
    addEventListener('pointermove', moved)
    addEventListener('pointerup', dropped)
    addEventListener('pointercancel', stopped)
  }
}

function spaceUnder({ clientX, clientY }: PointerEvent): string | null {
  const under = document.elementsFromPoint(clientX, clientY) as HTMLElement[]
  return under.map((element) => element.dataset?.space).find((space) => space !== undefined) ?? null
}
