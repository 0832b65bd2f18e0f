/** Where things are on the board, in units of its drawing: a space is 44 wide and high. */
export const SIDE = 44
export const ACROSS = 8

interface Cell {
  column: number // from the left
  row: number // from above
}

/** The cell of a space, by its name: files from the left, ranks from below. */
export function cellOf(name: string): Cell {
  return { column: name.charCodeAt(0) - 97, row: ACROSS - Number(name[1]) }
}

export function nameOf({ column, row }: Cell): string {
  return `${String.fromCharCode(97 + column)}${ACROSS - row}`
}

type Point = [number, number]
interface Edge {
  from: Point
  way: Point
}

/**
 * The line around cells as the path of an SVG, so far inside their edges (outside if negative),
 * with rounded corners. Cells that meet only at a corner stay apart.
 */
export function outline(cells: Cell[], inset: number, radius: number): string {
  return loops(cells)
    .map((loop) => {
      const corners = loop.map(({ from, way }, index) => {
        const before = loop.at(index - 1)!.way
        const [x, y] = from.map((each) => each * SIDE) as Point
        // Inside is to the right of the way, all around.
        const point: Point = [
          x - inset * (before[1] + way[1]),
          y + inset * (before[0] + way[0]),
        ]
        return { point, before, way }
      })
      const steps = corners.map(({ point: [x, y], before, way }, index) => {
        const start = `${x - before[0] * radius} ${y - before[1] * radius}`
        const end = `${x + way[0] * radius} ${y + way[1] * radius}`
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
    for (const [from, way, out] of sides) {
      if (!filled.has(`${column + out[0]},${row + out[1]}`)) edges.push({ from, way })
    }
  }
  const found: Edge[][] = []
  while (edges.length > 0) {
    const loop = [edges.shift()!]
    for (;;) {
      const { from, way } = loop.at(-1)!
      const end: Point = [from[0] + way[0], from[1] + way[1]]
      const next = edges
        .filter((edge) => edge.from[0] === end[0] && edge.from[1] === end[1])
        .sort((one, other) => rightTurn(way, other.way) - rightTurn(way, one.way))[0]
      if (next === undefined) break
      edges.splice(edges.indexOf(next), 1)
      loop.push(next)
    }
    found.push(loop.filter((edge, index) => !isSame(edge.way, loop.at(index - 1)!.way)))
  }
  return found
}

const rightTurn = (way: Point, next: Point) => way[0] * next[1] - way[1] * next[0]
const isSame = (one: Point, other: Point) => one[0] === other[0] && one[1] === other[1]
