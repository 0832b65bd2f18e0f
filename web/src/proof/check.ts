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

export interface Findings {
  isSecretRight: boolean // the secret fits the commitment
  isCommitmentNoted: boolean | null // it is the one noted on sitting down; null if none was noted
  areSharesIn: boolean | null // the player's shares are in the key; null if none were noted
  people: number // how many people added a share to the key
  checked: number
  wrong: { number: number; move: string; right: string } | null
  given: number // plies taken from another game
}

/** Check all that can be checked in the browser. */
export async function checkDeal(proof: Proof, noted: DealNote | null): Promise<Findings> {
  const shares = Object.values(proof.shares)
  const key = await macKey(await keyOf(proof.secret, proof.shares))
  let wrong: Findings['wrong'] = null
  let checked = 0
  for (const draw of proof.draws) {
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
    people: shares.length,
    checked,
    wrong,
    given: proof.given,
  }
}
