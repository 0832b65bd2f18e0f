import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { COLOURS, type Colour } from './colours'

type Triple = [number, number, number]

// Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
const VISION: Record<string, Triple[]> = {
  typical: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

function linear(hex: string): Triple {
  const part = (at: number): number => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

function times(matrix: Triple[], colour: Triple): Triple {
  const clip = (value: number): number => Math.min(1, Math.max(0, value))
  return matrix.map((row) => clip(row.reduce((sum, each, at) => sum + each * colour[at]!, 0))) as Triple
}

function lab([r, g, b]: Triple): Triple {
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116)
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

function luminance(hex: string): number {
  const [r, g, b] = linear(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

interface Paint {
  fill: string
  ink: string // what is written on the fill
}

const css = readFileSync('src/look/look.css', 'utf8')

/** The colours of a rule in the style sheet; what it does not set comes from another palette. */
function paletteOf(selector: string, base?: Record<Colour, Paint>): Record<Colour, Paint> {
  const start = css.indexOf(`${selector} {`)
  const rule = css.slice(start, css.indexOf('}', start))
  const value = (name: string): string | undefined => new RegExp(`--${name}: (#\\w{6});`).exec(rule)?.[1]
  const paints = COLOURS.map((colour) => {
    const { fill, ink } = { fill: value(colour), ink: value(`${colour}-ink`) }
    return [colour, { fill: fill ?? base![colour].fill, ink: ink ?? base![colour].ink }]
  })
  return Object.fromEntries(paints) as Record<Colour, Paint>
}

const sand = paletteOf(':root')
const clear = paletteOf(":root[data-palette='clear']", sand)

test('the palettes differ', () => {
  for (const colour of COLOURS) expect(clear[colour].fill).not.toBe(sand[colour].fill)
})

describe.each(Object.entries({ sand, clear }))('the palette %s', (_, palette) => {
  it.each(Object.keys(VISION))('keeps all colours apart with %s vision', (vision) => {
    for (const one of COLOURS) {
      for (const other of COLOURS) {
        if (one === other) continue
        const [a, b] = [one, other].map((each) => lab(times(VISION[vision]!, linear(palette[each].fill))))
        const apart = Math.hypot(a![0] - b![0], a![1] - b![1], a![2] - b![2])
        expect(apart, `${one} and ${other}`).toBeGreaterThanOrEqual(20)
      }
    }
  })

  it.each(COLOURS)('can be written on in %s', (colour) => {
    const [dark, light] = [palette[colour].fill, palette[colour].ink].map(luminance).sort((a, b) => a - b)
    expect((light! + 0.05) / (dark! + 0.05)).toBeGreaterThanOrEqual(4.5)
  })
})
