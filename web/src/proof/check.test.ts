import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Proof } from '../api/types'
import { dealNote, noteEvents, noteShare } from '../dealNotes'
import { checkDeal, commitmentOf, hexOf, keyOf, macKey, numberBelow, outcomeOf } from './check'

// The test vectors of docs/fair.md.
const secret = Array.from({ length: 32 }, (_, byte) => byte.toString(16).padStart(2, '0')).join('')
const shares = { '1': '11'.repeat(32), '2': '22'.repeat(32) }
const commitment = '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd'

const key = async () => macKey(await keyOf(secret, shares))

test('commitment and key match the test vectors', async () => {
  expect(await commitmentOf(secret)).toBe(commitment)
  expect(hexOf(await keyOf(secret, {}))).toBe(
    'b7e1ee4dfa0a49bb72d47f6f81244921947625f55df04cc737630c8e1227dad8',
  )
  expect(hexOf(await keyOf(secret, { '2': shares['2'] }))).toBe(
    'f4551f801ead26ed91cba4cc5b77104162868e9d5d009f48c3921fe5cbb43aee',
  )
  expect(hexOf(await keyOf(secret, shares))).toBe(
    '77e1cef8a7d7413450664713b4ca408e30e5ed5d3ea8a56fbc1988f0ab812746',
  )
})

test('numbers match the test vectors, with rejected words', async () => {
  const made = async (number: number, limit: bigint) => numberBelow(await key(), number, limit)
  expect([await made(1, 108n), await made(2, 108n)]).toEqual([14n, 80n])
  expect([await made(255, 17n), await made(256, 17n)]).toEqual([12n, 11n])
  expect(await made(2 ** 40, 1000n)).toBe(625n)
  expect(await made(0, 2n ** 63n + 1n)).toBe(2750047364656396160n)
})

const draws = '+o +k +k +k +k +r +k +k'.split(' ').map((move, number) => {
  return { number, ply: number + 1, move, outcomes: ['+r', '+o', '+k'], weights: [3, 1, 5] }
})
const proof: Proof = { commitment, secret, shares, given: 0, draws, taken_back: [], drawn: 8 }

test('draws follow from their numbers', async () => {
  const mac = await key()
  for (const draw of draws) expect(await outcomeOf(mac, draw)).toBe(draw.move)
})

test('a fair deal is found fair', async () => {
  const noted = { commitment, shares: [shares['2']] }
  expect(await checkDeal(proof, noted)).toEqual({
    isSecretRight: true,
    isCommitmentNoted: true,
    areSharesIn: true,
    areTakebacksSeen: null,
    people: 2,
    checked: 8,
    takenBack: 0,
    fault: null,
    wrong: null,
    given: 0,
  })
  expect(await checkDeal(proof, null)).toMatchObject({ isCommitmentNoted: null, areSharesIn: null })
})

test('every change is found', async () => {
  const changed = draws.map((draw) => (draw.number === 5 ? { ...draw, move: '+k' } : draw))
  expect((await checkDeal({ ...proof, draws: changed }, null)).wrong).toEqual({
    number: 5,
    move: '+k',
    right: '+r',
  })
  const other = `ff${secret.slice(2)}`
  expect(await checkDeal({ ...proof, secret: other }, null)).toMatchObject({ isSecretRight: false })
  const noted = { commitment: other, shares: [other] }
  expect(await checkDeal(proof, noted)).toMatchObject({
    isCommitmentNoted: false,
    areSharesIn: false,
  })
})

// Honest and cheating servers; `mandala verify` and examples/verify.py are tested with them too.
interface Vector {
  page: string
  noted: { commitment: string; share: string }
  proof: Proof
}
const vectors = JSON.parse(
  readFileSync(`${import.meta.dirname}/../../../tests/live/fair_vectors.json`, 'utf-8'),
) as Record<string, Vector>

test.each(Object.entries(vectors))('%s', async (_, vector) => {
  const noted = { commitment: vector.noted.commitment, shares: [vector.noted.share] }
  const found = await checkDeal(vector.proof, noted)
  const codes = [
    found.isCommitmentNoted ? null : 'fair-noted-commitment',
    found.areSharesIn ? null : 'fair-noted-share',
    found.fault?.code ?? null,
    found.wrong ? 'fair-draw' : null,
  ].filter((code) => code !== null)
  if (vector.page === 'ok') expect(codes).toEqual([])
  else expect(codes[0]).toBe(vector.page)
})

test('takebacks are compared with those seen during the game', async () => {
  const { proof: honest } = vectors['an honest game with lines taken back']!
  noteShare('t1', commitment, shares['1'])
  noteEvents('t1', [{ number: 5, kind: 'started' }])
  noteEvents('t1', [{ number: 9, kind: 'taken-back' }])
  noteEvents('t1', [
    { number: 7, kind: 'taken-back' }, // was another event when it was seen
    { number: 9, kind: 'taken-back' },
    { number: 12, kind: 'taken-back' },
  ])
  expect((await checkDeal(honest, dealNote('t1'))).areTakebacksSeen).toBe(false)
  noteEvents('t1', [{ number: 15, kind: 'taken-back' }])
  expect((await checkDeal(honest, dealNote('t1'))).areTakebacksSeen).toBe(true)
  expect((await checkDeal(honest, null)).areTakebacksSeen).toBeNull()
})

test('events are noted only for tables with a share', () => {
  noteEvents('t2', [{ number: 5, kind: 'taken-back' }])
  expect(dealNote('t2')).toBeNull()
})
