/** The six colours, in the order of the rules; `?` is a hidden card. */
export const COLOURS = ['r', 'o', 'y', 'g', 'v', 'k'] as const
export type Colour = (typeof COLOURS)[number]
export type Face = Colour | '?'

/**
 * A symbol for each colour, as a path around (0, 0) that fits into a circle of radius 10: disc,
 * triangle, star, diamond, cross, square. They differ in outline, so colour is never needed.
 */
export const SYMBOLS: Record<Colour, string> = {
  r: 'M0-8a8 8 0 1 0 0 16a8 8 0 1 0 0-16z',
  o: 'M0-9.5L9 7H-9z',
  y: star(5, 10, 4.3),
  g: 'M0-10L7.2 0L0 10L-7.2 0z',
  v: 'M-3-9H3V-3H9V3H3V9H-3V3H-9V-3H-3z',
  k: 'M-7.4-7.4H7.4V7.4H-7.4z',
}

function star(points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: points * 2 }, (_, corner) => {
    const radius = corner % 2 ? inner : outer
    const angle = (Math.PI * corner) / points - Math.PI / 2
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`
  })
  return `M${corners.join('L')}z`
}

/** Stacks of cards from the server's counts by colour, hidden cards last. */
export function stacks(cards: readonly number[]): { colour: Face; count: number }[] {
  const faces: Face[] = [...COLOURS, '?']
  return faces.flatMap((colour, index) => {
    const count = cards[index] ?? 0
    return count > 0 ? [{ colour, count }] : []
  })
}
