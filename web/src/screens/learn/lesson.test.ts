import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Frame, LessonAnswer, LessonInfo } from '../../api/types'
import { games } from '../../boards/patterns/fixtures'
import { prefs } from '../../prefs.svelte'
import { Lesson, partsOf } from './lesson.svelte'

const [first, second, third] = games[0]!
const frame = (ply: number, move: string, actor: number | null, board = second!.board): Frame => {
  return { ply, move, actor, board, scores: [0, 0], told: [] }
}
const info: LessonInfo = {
  game: 'patterns',
  seats: 2,
  seat: 2,
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

test('after the right one it is shown what follows, one after the other', async () => {
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

test('one can go on and back, and the end comes after the last step', async () => {
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

test('an answer that comes when one has gone on is not shown', async () => {
  let answer: (answer: LessonAnswer) => void = () => undefined
  const lesson = new Lesson(info, () => new Promise((resolve) => (answer = resolve)))
  const asked = lesson.attempt('Gy')
  lesson.goTo(1)
  answer(right)
  await asked
  expect(lesson.answer).toBeNull()
  expect(lesson.done).toEqual([false, false])
})

test('the last sentence of a step is what to do', () => {
  const text = 'Red lies there (try it, and see). Here, though: is it free? Lay 3 × 1: all of them.'
  expect(partsOf(text)).toEqual({
    story: 'Red lies there (try it, and see). Here, though: is it free?',
    task: 'Lay 3 × 1: all of them.',
  })
  expect(partsOf('Flip g2.')).toEqual({ story: '', task: 'Flip g2.' })
})
