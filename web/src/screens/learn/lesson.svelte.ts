import { api } from '../../api/client'
import type { Frame, LessonAnswer, LessonInfo, LessonStep } from '../../api/types'
import { animationMs } from '../../prefs.svelte'

const PACE = 900 // milliseconds between what follows a move

/** An introduction as it is gone through: the step of the moment, and what came of the try. */
export class Lesson {
  at = $state(0) // the step; after the last one, the end
  answer: LessonAnswer | null = $state.raw(null)
  done: boolean[] = $state([])
  private shown: Frame | null = $state.raw(null)
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    readonly info: LessonInfo,
    private readonly ask = api.lessonMove,
  ) {
    this.done = info.steps.map(() => false)
  }

  get step(): LessonStep | null {
    return this.info.steps[this.at] ?? null
  }

  /** The board of the step, or what followed the move that was right. */
  get board(): LessonStep['board'] {
    return this.shown?.board ?? (this.step ?? this.info.steps.at(-1)!).board
  }

  /** The last move on that board, and who made it. */
  get last(): { last: string[]; lastSeat: number | null } {
    return { last: this.shown ? [this.shown.move] : [], lastSeat: this.shown?.actor ?? null }
  }

  get isTrying(): boolean {
    return this.step !== null && this.answer?.accepted !== true
  }

  /** Try a move, legal or not; the server knows what to say to it. */
  async attempt(move: string): Promise<void> {
    const at = this.at
    if (!this.isTrying) return
    const answer = await this.ask(this.info.game, this.step!.step, move)
    if (this.at !== at) return
    this.answer = answer
    if (answer.accepted) {
      this.done[at] = true
      this.follow(answer.frames)
    }
  }

  /** Go to a step, to try it anew. */
  goTo(to: number): void {
    clearTimeout(this.timer)
    this.at = Math.max(0, Math.min(to, this.info.steps.length))
    this.answer = null
    this.shown = null
  }

  /** Stop what is being shown. */
  close(): void {
    clearTimeout(this.timer)
  }

  private follow([first, ...rest]: Frame[]): void {
    if (first === undefined) return
    this.shown = first
    const wait = first.actor === null ? 0 : animationMs(PACE)
    if (rest.length > 0) this.timer = setTimeout(() => this.follow(rest), wait)
  }
}

/** A step's text in two: the last sentence says what to do, all before it why. */
export function partsOf(text: string): { story: string; task: string } {
  const [, story, task] = /^(?:(.*[.?!)]) )?(.*)$/s.exec(text)!
  return { story: story ?? '', task: task! }
}
