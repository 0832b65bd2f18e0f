/** Animation of moves on the board, and dragging of the exchange tile. */
import { tick, untrack } from 'svelte'
import type { PatternsBoard } from '../../api/types'
import { animationMs } from '../../prefs.svelte'
import { SIDE } from './geometry'
import { changeOf, type Change } from './moves'

type Root = () => HTMLElement | undefined

/** The animation of the last move. Must be created while the board component is initialised. */
export class MoveAnimation {
  change: Change | null = $state.raw(null)
  #before: PatternsBoard | null = null
  readonly #root: Root

  constructor(board: () => PatternsBoard, root: Root) {
    this.#root = root
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
    return this.#root()?.querySelector<HTMLElement>(selector) ?? null
  }

  #perform(change: Change): void {
    const done = () => {
      if (this.change === change) this.change = null
    }
    const moves = change.isFlip ? this.#turn() : this.#swap(change)
    // The group settles into its new shape like inlay, pressed down as the tile arrives.
    const arrival = animationMs(change.isFlip ? 200 : 340)
    this.#find('.group.joined')?.animate(
      { transform: ['none', 'scale(1.05)', 'none'] },
      { duration: animationMs(300), delay: arrival, easing: 'ease-out' },
    )
    void moves?.finished.then(done, done)
  }

  #turn(): Animation | undefined {
    const turn = { duration: animationMs(260), easing: 'ease-in' }
    return this.#find('.turning')?.animate({ transform: ['scaleX(1)', 'scaleX(0)'] }, turn)
  }

  #swap({ space, seat }: Change): Animation | undefined {
    const onBoard = this.#find(`[data-space="${space}"]`)?.getBoundingClientRect()
    const inBowl = this.#find(`[data-bowl="${seat}"]`)?.getBoundingClientRect()
    const root = this.#root()?.getBoundingClientRect()
    if (onBoard === undefined || inBowl === undefined || root === undefined) return undefined
    const at = ({ x, y, width, height }: DOMRect, scale: number) =>
      `translate(${x + width / 2 - root.x - 22}px, ${y + height / 2 - root.y - 22}px) scale(${scale})`
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

interface DragHandlers {
  onover: (space: string | null) => void // the space under the pointer
  ondrop: (space: string | null) => void
}

const DRAG_THRESHOLD = 8 // pixels

/** Dragging the exchange tile from the bowl onto a space. */
export class Drag {
  at: { x: number; y: number } | null = $state(null) // in the root
  readonly #root: Root
  readonly #handlers: DragHandlers

  constructor(root: Root, handlers: DragHandlers) {
    this.#root = root
    this.#handlers = handlers
  }

  readonly start = (event: PointerEvent): void => {
    if (event.button !== 0) return
    const from = { x: event.clientX, y: event.clientY }
    const moved = (now: PointerEvent) => {
      const isFar = Math.hypot(now.clientX - from.x, now.clientY - from.y) > DRAG_THRESHOLD
      if (this.at === null && !isFar) return
      const { x, y } = this.#root()!.getBoundingClientRect()
      this.at = { x: now.clientX - x, y: now.clientY - y }
      this.#handlers.onover(spaceUnder(now))
    }
    const dropped = (now: PointerEvent) => end(spaceUnder(now))
    const stopped = () => end(null)
    const end = (space: string | null) => {
      removeEventListener('pointermove', moved)
      removeEventListener('pointerup', dropped)
      removeEventListener('pointercancel', stopped)
      if (this.at === null) return
      this.at = null
      this.#handlers.ondrop(space)
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
