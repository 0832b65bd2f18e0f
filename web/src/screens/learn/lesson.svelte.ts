import { api } from '../../api/client'
import type { Frame, LessonAnswer, LessonInfo, LessonStep } from '../../api/types'
import { animationMs } from '../../prefs.svelte'

const FRAME_MS = 900 // between the moves that follow the player's

/** A lesson: the current step, and the answer to the player's attempt. */
export class Lesson {
  at = $state(0) // index of the step; after the last one, the end
  answer: LessonAnswer | null = $state.raw(null)
  done: boolean[] = $state([])
  private frame: Frame | null = $state.raw(null)
  private final: Frame | null = null // after the right move of the last step: shown at the end
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

  /** The board of the step, or of what followed the right move. */
  get board(): LessonStep['board'] {
    return this.frame?.board ?? (this.step ?? this.info.steps.at(-1)!).board
  }

  /** The last move on that board, and who made it. */
  get last(): { last: string[]; lastSeat: number | null } {
    return { last: this.frame ? [this.frame.move] : [], lastSeat: this.frame?.actor ?? null }
  }

  get isTrying(): boolean {
    return this.step !== null && this.answer?.accepted !== true
  }

  /** Try a move, legal or not; the server answers it. */
  async attempt(move: string): Promise<void> {
    const at = this.at
    if (!this.isTrying) return
    const answer = await this.ask(this.info.game, this.step!.step, move)
    if (this.at !== at) return
    this.answer = answer
    if (answer.accepted) {
      this.done[at] = true
      if (at === this.info.steps.length - 1) this.final = answer.frames.at(-1) ?? null
      this.showFrames(answer.frames)
    }
  }

  /** Go to a step and reset it. */
  goTo(to: number): void {
    clearTimeout(this.timer)
    this.at = Math.max(0, Math.min(to, this.info.steps.length))
    this.answer = null
    this.frame = this.step === null ? this.final : null
  }

  /** Stop the moves that are being shown. */
  close(): void {
    clearTimeout(this.timer)
  }

  private showFrames([first, ...rest]: Frame[]): void {
    if (first === undefined) return
    this.frame = first
    const wait = first.actor === null ? 0 : animationMs(FRAME_MS)
    if (rest.length > 0) this.timer = setTimeout(() => this.showFrames(rest), wait)
  }
}

/** A step's text in two parts: the last sentence is the task, the rest explains it. */
export function splitTask(text: string): { explanation: string; task: string } {
  const [, explanation, task] = /^(?:(.*[.?!)]) )?(.*)$/s.exec(text)!
  return { explanation: explanation ?? '', task: task! }
}
