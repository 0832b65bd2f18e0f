/**
 * QR codes (ISO/IEC 18004) for short texts: byte mode, error correction M, versions 1 to 10, up to
 * 213 bytes, which is more than any link of the page. A dark module is true.
 */
const ECC_PER_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26]
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5]
const CODEWORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346]
const ALIGNMENT = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
]
const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** The modules of a text's QR code, row by row. */
export function qrCode(text: string): boolean[][] {
  const data = new TextEncoder().encode(text)
  const version = CODEWORDS.findIndex((_, each) => dataCodewords(each + 1) >= bytesFor(data, each + 1)) + 1
  if (version === 0) throw new RangeError('too long for a code')
  const codewords = withCorrection(packed(data, version), version)
  const drawn = MASKS.map((_, mask) => draw(version, codewords, mask))
  return drawn.reduce((best, each) => (penalty(each) < penalty(best) ? each : best))
}

function dataCodewords(version: number): number {
  return CODEWORDS[version - 1]! - ECC_PER_BLOCK[version - 1]! * BLOCKS[version - 1]!
}

function bytesFor(data: Uint8Array, version: number): number {
  return data.length + (version < 10 ? 2 : 3)
}

/** The data codewords: mode, length, bytes, terminator and padding. */
function packed(data: Uint8Array, version: number): number[] {
  const bits: number[] = []
  const add = (value: number, count: number): void => {
    for (let place = count - 1; place >= 0; place--) bits.push((value >> place) & 1)
  }
  const capacity = dataCodewords(version) * 8
  add(4, 4)
  add(data.length, version < 10 ? 8 : 16)
  for (const byte of data) add(byte, 8)
  add(0, Math.min(4, capacity - bits.length))
  add(0, (8 - (bits.length % 8)) % 8)
  const bytes: number[] = []
  for (let at = 0; at < bits.length; at += 8) {
    bytes.push(bits.slice(at, at + 8).reduce((sum, bit) => sum * 2 + bit, 0))
  }
  for (let pad = 0xec; bytes.length < capacity / 8; pad ^= 0xec ^ 0x11) bytes.push(pad)
  return bytes
}

// Reed-Solomon error correction in GF(256)

function times(a: number, b: number): number {
  let product = 0
  for (let place = 7; place >= 0; place--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> place) & 1) * a
  }
  return product
}

function divisor(degree: number): number[] {
  const found = [...new Array<number>(degree - 1).fill(0), 1]
  let root = 1
  for (let step = 0; step < degree; step++) {
    for (let at = 0; at < degree; at++) {
      found[at] = times(found[at]!, root) ^ (found[at + 1] ?? 0)
    }
    root = times(root, 2)
  }
  return found
}

function remainder(block: number[], by: number[]): number[] {
  const rest = new Array<number>(by.length).fill(0)
  for (const byte of block) {
    const factor = byte ^ rest.shift()!
    rest.push(0)
    by.forEach((each, at) => (rest[at]! ^= times(each, factor)))
  }
  return rest
}

/** The blocks with their error correction, interleaved. */
function withCorrection(data: number[], version: number): number[] {
  const count = BLOCKS[version - 1]!
  const eccLength = ECC_PER_BLOCK[version - 1]!
  const total = CODEWORDS[version - 1]!
  const shortBlocks = count - (total % count)
  const shortLength = Math.floor(total / count) - eccLength
  const by = divisor(eccLength)
  const blocks: { data: number[]; ecc: number[] }[] = []
  let at = 0
  for (let each = 0; each < count; each++) {
    const length = shortLength + (each < shortBlocks ? 0 : 1)
    const block = data.slice(at, at + length)
    blocks.push({ data: block, ecc: remainder(block, by) })
    at += length
  }
  const all: number[] = []
  for (let place = 0; place <= shortLength; place++) {
    for (const block of blocks) if (place < block.data.length) all.push(block.data[place]!)
  }
  for (let place = 0; place < eccLength; place++) {
    for (const block of blocks) all.push(block.ecc[place]!)
  }
  return all
}

// Drawing

function draw(version: number, codewords: number[], mask: number): boolean[][] {
  const size = version * 4 + 17
  const dark = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  const isFixed = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  const set = (x: number, y: number, value: boolean): void => {
    if (x < 0 || y < 0 || x >= size || y >= size) return
    dark[y]![x] = value
    isFixed[y]![x] = true
  }
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0)
    set(at, 6, at % 2 === 0)
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy))
        set(x + dx, y + dy, ring !== 2 && ring !== 4)
      }
    }
  }
  const places = ALIGNMENT[version - 1]!
  const last = places.length - 1
  places.forEach((x, i) =>
    places.forEach((y, j) => {
      const isFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)
      if (isFinder) return
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) {
          set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
        }
      }
    }),
  )
  drawFormat(set, size, mask)
  drawVersion(set, size, version)
  drawData(dark, isFixed, codewords, mask)
  return dark
}

type Set = (x: number, y: number, value: boolean) => void

function drawFormat(set: Set, size: number, mask: number): void {
  let rest = mask // error correction M is 00
  for (let step = 0; step < 10; step++) rest = (rest << 1) ^ ((rest >> 9) * 0x537)
  const bits = ((mask << 10) | rest) ^ 0x5412
  const bit = (at: number): boolean => ((bits >> at) & 1) === 1
  for (let at = 0; at <= 5; at++) set(8, at, bit(at))
  set(8, 7, bit(6))
  set(8, 8, bit(7))
  set(7, 8, bit(8))
  for (let at = 9; at < 15; at++) set(14 - at, 8, bit(at))
  for (let at = 0; at < 8; at++) set(size - 1 - at, 8, bit(at))
  for (let at = 8; at < 15; at++) set(8, size - 15 + at, bit(at))
  set(8, size - 8, true)
}

function drawVersion(set: Set, size: number, version: number): void {
  if (version < 7) return
  let rest = version
  for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25)
  const bits = (version << 12) | rest
  for (let at = 0; at < 18; at++) {
    const value = ((bits >> at) & 1) === 1
    const [a, b] = [size - 11 + (at % 3), Math.floor(at / 3)]
    set(a, b, value)
    set(b, a, value)
  }
}

function drawData(dark: boolean[][], isFixed: boolean[][], codewords: number[], mask: number): void {
  const size = dark.length
  const masked = MASKS[mask]!
  let at = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const isUpwards = ((right + 1) & 2) === 0
      const y = isUpwards ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (isFixed[y]![x]) continue
        const bit = ((codewords[at >> 3] ?? 0) >> (7 - (at & 7))) & 1
        dark[y]![x] = (bit === 1) !== masked(x, y)
        at += 1
      }
    }
  }
}

/** The penalty of a mask by the standard's four rules. */
function penalty(dark: boolean[][]): number {
  const size = dark.length
  const columns = dark.map((_, x) => dark.map((row) => row[x]!))
  let sum = 0
  for (const line of [...dark, ...columns]) {
    const text = line.map(Number).join('')
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2
    for (const pattern of ['10111010000', '00001011101']) {
      for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) sum += 40
    }
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const here = dark[y]![x]
      if (here === dark[y]![x - 1] && here === dark[y - 1]![x] && here === dark[y - 1]![x - 1]) {
        sum += 3
      }
    }
  }
  const share = dark.flat().filter(Boolean).length / (size * size)
  return sum + Math.floor(Math.abs(share * 20 - 10)) * 10
}
