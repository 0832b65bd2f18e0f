import { expect, it } from 'vitest'
import { formatTime } from './clock'

it.each([
  [9_940, '9.9'],
  [0, '0.0'],
  [10_000, '0:10'],
  [59_001, '1:00'],
  [600_000, '10:00'],
  [3_661_000, '1:01:01'],
  [3 * 86_400_000, '3 d 0 h'],
  [86_400_000 + 7_200_000, '1 d 2 h'],
])('%i ms is shown as %s', (milliseconds, text) => {
  expect(formatTime(milliseconds)).toBe(text)
})
