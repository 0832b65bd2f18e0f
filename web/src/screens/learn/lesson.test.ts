import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Frame, LessonAnswer, LessonInfo } from '../../api/types'
import { games } from '../../boards/patterns/fixtures'
import { prefs } from '../../prefs.svelte'
import { Lesson, splitTask } from './lesson.svelte'

const [first, second, third] = games[0]!
const frame = (ply: number, move: string, actor: number | null, board = second!.board): Frame => {
  return { ply, move, actor, board, scores: [0, 0], gains: [], narration: [] }
}
const info: LessonInfo = {
  game: 'patterns',
  seats: 2,
  seat: 2,
  names: ['Seat 1', 'Seat 2'],
  steps: [first!, second!].map(({ board, legal }, index) => {
    return { step: index + 1, title: 'a', text: 'b', board, scores: [0, 0], legal }
  }),
}
const right: LessonAnswer = {
  accepted: true,
  code: null,
  text: 'Well done.',
  frames: [frame(1, 'Gy', 2), frame(2, 'Ob5', 1, third!.board)],
}
const wrong: LessonAnswer = { accepted: false, code: 'try-another', text: 'Not now.', frames: [] }

beforeEach(() => {
  vi.useFakeTimers()
  prefs.motion = 'auto'
})
afterEach(() => vi.useRealTimers())

test('a wrong move is answered and changes nothing', async () => {
  const lesson = new Lesson(info, async () => wrong)
  await lesson.attempt('Gr')
  expect(lesson.answer).toBe(wrong)
  expect(lesson.isTrying).toBe(true)
  expect(lesson.board).toEqual(info.steps[0]!.board)
  expect(lesson.done).toEqual([false, false])
})

test('after the right move the following ones are shown one by one', async () => {
  const ask = vi.fn(async () => right)
  const lesson = new Lesson(info, ask)
  await lesson.attempt('Gy')
  expect(ask).toHaveBeenCalledWith('patterns', 1, 'Gy')
  expect(lesson.isTrying).toBe(false)
  expect(lesson.done).toEqual([true, false])
  expect(lesson.last).toEqual({ last: ['Gy'], lastSeat: 2 })
  vi.runAllTimers()
  expect(lesson.last).toEqual({ last: ['Ob5'], lastSeat: 1 })
  expect(lesson.board).toBe(third!.board)
  await lesson.attempt('Gy')
  expect(ask).toHaveBeenCalledTimes(1)
})

test('steps can be changed, and the end comes after the last step', async () => {
  const lesson = new Lesson(info, async () => right)
  await lesson.attempt('Gy')
  lesson.goTo(1)
  vi.runAllTimers()
  expect(lesson.board).toEqual(info.steps[1]!.board)
  expect(lesson.answer).toBeNull()
  lesson.goTo(2)
  expect(lesson.step).toBeNull()
  lesson.goTo(99)
  expect(lesson.at).toBe(2)
  lesson.goTo(-1)
  expect(lesson.at).toBe(0)
})

test('an answer that arrives at another step is dropped', async () => {
  let answer: (answer: LessonAnswer) => void = () => undefined
  const lesson = new Lesson(info, () => new Promise((resolve) => (answer = resolve)))
  const attempt = lesson.attempt('Gy')
  lesson.goTo(1)
  answer(right)
  await attempt
  expect(lesson.answer).toBeNull()
  expect(lesson.done).toEqual([false, false])
})

test('the last sentence of a step is the task', () => {
  const text = 'Red lies there (try it, and see). Here, though: is it free? Lay 3 × 1: all of them.'
  expect(splitTask(text)).toEqual({
    explanation: 'Red lies there (try it, and see). Here, though: is it free?',
    task: 'Lay 3 × 1: all of them.',
  })
  expect(splitTask('Flip g2.')).toEqual({ explanation: '', task: 'Flip g2.' })
})

test('the end shows the board after the last right move', async () => {
  const lesson = new Lesson(info, async () => right)
  lesson.goTo(1)
  await lesson.attempt('Gy')
  vi.runAllTimers()
  lesson.goTo(2)
  expect(lesson.step).toBeNull()
  expect(lesson.board).toBe(third!.board)
  lesson.goTo(0)
  expect(lesson.board).toBe(info.steps[0]!.board)
})
