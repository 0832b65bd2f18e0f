/** Geometry of the board's drawing, in which a space is 44 wide and high. */
export const SIDE = 44
export const ACROSS = 8

interface Cell {
  column: number // from the left
  row: number // from the top
}

/** The cell of a space, by its name: files from the left, ranks from the bottom. */
export function cellOf(name: string): Cell {
  return { column: name.charCodeAt(0) - 97, row: ACROSS - Number(name[1]) }
}

export function nameOf({ column, row }: Cell): string {
  return `${String.fromCharCode(97 + column)}${ACROSS - row}`
}

/** The spaces named in a sentence, such as “c5”. */
export function spacesIn(sentence: string): string[] {
  return sentence.match(/\b[a-h][1-8]\b/g) ?? []
}

type Point = [number, number]
interface Edge {
  from: Point
  direction: Point
}

/**
 * The outline of cells as an SVG path with rounded corners, moved inwards by `inset` (outwards if
 * negative). Cells that meet only at a corner stay apart.
 */
export function outline(cells: Cell[], inset: number, radius: number): string {
  return loops(cells)
    .map((loop) => {
      const corners = loop.map(({ from, direction }, index) => {
        const before = loop.at(index - 1)!.direction
        const [x, y] = from.map((each) => each * SIDE) as Point
        // The inside is to the right of every edge.
        const point: Point = [
          x - inset * (before[1] + direction[1]),
          y + inset * (before[0] + direction[0]),
        ]
        return { point, before, direction }
      })
      const steps = corners.map(({ point: [x, y], before, direction }, index) => {
        const start = `${x - before[0] * radius} ${y - before[1] * radius}`
        const end = `${x + direction[0] * radius} ${y + direction[1] * radius}`
        return `${index === 0 ? 'M' : 'L'}${start}Q${x} ${y} ${end}`
      })
      return `${steps.join('')}z`
    })
    .join('')
}

/** The straight edges around cells, clockwise; one loop for the outside and each hole. */
function loops(cells: Cell[]): Edge[][] {
  const filled = new Set(cells.map(({ column, row }) => `${column},${row}`))
  const edges: Edge[] = []
  for (const { column, row } of cells) {
    const sides: [Point, Point, Point][] = [
      [[column, row], [1, 0], [0, -1]],
      [[column + 1, row], [0, 1], [1, 0]],
      [[column + 1, row + 1], [-1, 0], [0, 1]],
      [[column, row + 1], [0, -1], [-1, 0]],
    ]
    for (const [from, direction, out] of sides) {
      if (!filled.has(`${column + out[0]},${row + out[1]}`)) edges.push({ from, direction })
    }
  }
  const found: Edge[][] = []
  while (edges.length > 0) {
    const loop = [edges.shift()!]
    for (;;) {
      const { from, direction } = loop.at(-1)!
      const end: Point = [from[0] + direction[0], from[1] + direction[1]]
      const next = edges
        .filter((edge) => edge.from[0] === end[0] && edge.from[1] === end[1])
        .sort((one, other) => rightTurn(direction, other.direction) - rightTurn(direction, one.direction))[0]
      if (next === undefined) break
      edges.splice(edges.indexOf(next), 1)
      loop.push(next)
    }
    found.push(loop.filter((edge, index) => !isSame(edge.direction, loop.at(index - 1)!.direction)))
  }
  return found
}

const rightTurn = (direction: Point, next: Point) => direction[0] * next[1] - direction[1] * next[0]
const isSame = (one: Point, other: Point) => one[0] === other[0] && one[1] === other[1]
