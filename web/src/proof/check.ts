/** Checks the deal of a finished game with the browser's cryptography; see docs/fair.md. */
import type { Proof, ProofDraw } from '../api/types'
import type { DealNote } from '../dealNotes'

const PREFIX = new TextEncoder().encode('mandala deal 1')
const WORDS = 1n << 64n

type Bytes = Uint8Array<ArrayBuffer>

function bytesOf(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** The commitment that the server had to publish before the game. */
export async function commitmentOf(secret: string): Promise<string> {
  return hexOf(await sha256(bytesOf(secret)))
}

/** The key of a game: a prefix, the secret, then by seat its number and its share. */
export async function keyOf(secret: string, shares: Record<string, string>): Promise<Bytes> {
  const seats = Object.keys(shares).map(Number).sort((one, other) => one - other)
  const parts = [...PREFIX, ...bytesOf(secret)]
  for (const seat of seats) parts.push(seat, ...bytesOf(shares[seat]!))
  return sha256(Uint8Array.from(parts))
}

/** The outcome of a chance number, below a limit. */
export async function numberBelow(key: CryptoKey, number: number, limit: bigint): Promise<bigint> {
  const message = new DataView(new ArrayBuffer(12))
  message.setBigUint64(0, BigInt(number))
  for (let attempt = 0; ; attempt += 1) {
    message.setUint32(8, attempt)
    const signed = await crypto.subtle.sign('HMAC', key, message)
    const word = new DataView(signed).getBigUint64(0)
    if (word < WORDS - (WORDS % limit)) return word % limit
  }
}

/** The chance move that a draw must have made. */
export async function outcomeOf(key: CryptoKey, draw: ProofDraw): Promise<string> {
  const limit = draw.weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  let left = await numberBelow(key, draw.number, limit)
  for (const [index, weight] of draw.weights.entries()) {
    if (left < BigInt(weight)) return draw.outcomes[index]!
    left -= BigInt(weight)
  }
  throw new Error('the number is below the sum of the weights')
}

export async function macKey(key: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

/** A chance number that is not where it has to be. */
export interface NumberFault {
  code: 'fair-skipped' | 'fair-repeated' | 'fair-setup' | 'fair-takeback'
  number: number // for a takeback that is not possible: the plies before it
}

/** All draws in the order in which they were made, or a takeback that is not possible. */
function drawsMade(proof: Proof): ProofDraw[] | NumberFault {
  const setup = proof.given + setupSize(proof)
  let standing = proof.draws
  const segments: ProofDraw[][] = [] // the draws after each takeback, last first
  for (const { plies, moves, draws } of [...proof.taken_back].reverse()) {
    const segment = standing.filter((draw) => draw.ply > plies)
    const isInDraws = [draws[0]?.ply, segment[0]?.ply].includes(plies + 1)
    if (plies < setup || moves.length === 0 || isInDraws) return { code: 'fair-takeback', number: plies }
    segments.push(segment)
    standing = [...standing.filter((draw) => draw.ply <= plies), ...draws]
  }
  return [standing, ...segments.reverse()].flat()
}

/** The number of draws before the first decision. */
function setupSize({ draws, given }: Proof): number {
  const end = draws.findIndex((draw, index) => draw.ply !== given + index + 1)
  return end < 0 ? draws.length : end
}

/** The first number that is skipped, used twice or out of place, or null. */
function numberFault(proof: Proof, made: ProofDraw[]): NumberFault | null {
  const setup = proof.given + setupSize(proof)
  const faultOf = (found: number, right: number, isSetup: boolean): NumberFault => {
    const code = isSetup ? 'fair-setup' : found > right ? 'fair-skipped' : 'fair-repeated'
    return { code, number: Math.min(found, right) }
  }
  const place = made.findIndex(({ number }, index) => number !== index)
  if (place >= 0) return faultOf(made[place]!.number, place, made[place]!.ply <= setup)
  return proof.drawn === made.length ? null : faultOf(proof.drawn, made.length, false)
}

export interface Findings {
  isSecretRight: boolean // the secret fits the commitment
  isCommitmentNoted: boolean | null // it is the one noted on sitting down; null if none was noted
  areSharesIn: boolean | null // the player's shares are in the key; null if none were noted
  areTakebacksSeen: boolean | null // as many were seen as lines are listed; null if none were noted
  people: number // how many people added a share to the key
  checked: number
  takenBack: number // lines taken back
  fault: NumberFault | null
  wrong: { number: number; move: string; right: string } | null
  given: number // plies taken from another game
}

/** Check all that can be checked in the browser. */
export async function checkDeal(proof: Proof, noted: DealNote | null): Promise<Findings> {
  const shares = Object.values(proof.shares)
  const key = await macKey(await keyOf(proof.secret, proof.shares))
  const found = drawsMade(proof)
  const fault = Array.isArray(found) ? numberFault(proof, found) : found
  const takenBack = proof.taken_back.length
  let wrong: Findings['wrong'] = null
  let checked = 0
  for (const draw of Array.isArray(found) ? found : proof.draws) {
    const right = await outcomeOf(key, draw)
    if (right !== draw.move) {
      wrong = { number: draw.number, move: draw.move, right }
      break
    }
    checked += 1
  }
  return {
    isSecretRight: (await commitmentOf(proof.secret)) === proof.commitment,
    isCommitmentNoted: noted === null ? null : noted.commitment === proof.commitment,
    areSharesIn: noted === null ? null : noted.shares.some((share) => shares.includes(share)),
    areTakebacksSeen: noted?.takebacks ? noted.takebacks.length === takenBack : null,
    people: shares.length,
    checked,
    takenBack,
    fault,
    wrong,
    given: proof.given,
  }
}
