import { expect, it } from 'vitest'
import { qrCode } from './qr'

// Verified with another program (zxing).
const READABLE = `
#######....#..#######
#.....#.#####.#.....#
#.###.#..#.#..#.###.#
#.###.#..#..#.#.###.#
#.###.#.#.###.#.###.#
#.....#..###..#.....#
#######.#.#.#.#######
..........#..........
#.#.#.#.....#...#..#.
#...##..####.#.#.....
#.#.#.#..###.####.###
.##..#..##.###..#..#.
##.#..##.#.#..##.##..
........#.#...###..#.
#######.....#...#.###
#.....#.......#.#..#.
#.###.#.##..#.##.##..
#.###.#..###.#.###.#.
#.###.#.#.##.##.#.#.#
#.....#...####.###.#.
#######.#.##.##..#.##
`

function drawn(text: string): string {
  return `\n${qrCode(text)
    .map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''))
    .join('\n')}\n`
}

it('draws codes that were verified', () => {
  expect(drawn('HTTP://A')).toBe(READABLE)
})

it.each([
  [14, 21],
  [15, 25],
  [106, 41],
  [107, 45],
  [213, 57],
])('needs for %i bytes %i modules each way', (length, size) => {
  expect(qrCode('x'.repeat(length))).toHaveLength(size)
})

it('rejects a text that is too long', () => {
  expect(() => qrCode('x'.repeat(214))).toThrow(RangeError)
})
