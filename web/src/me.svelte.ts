/** Who one is here: a guest, made on first need, under a name that can be changed. */
import { api, Refusal } from './api/client'
import type { Me } from './api/types'
import { guestWords } from './me.text'
import { keep, kept } from './storage'

const KEY = 'mandala-been-here'

export const identity: { me: Me | null } = $state({ me: null })

function pick(words: string): string {
  const all = words.split(' ')
  return all[crypto.getRandomValues(new Uint32Array(1))[0]! % all.length]!
}

/** A friendly name for somebody who has not chosen one. */
function newName(): string {
  return guestWords.join(pick(guestWords.first), pick(guestWords.second))
}

/** Take on an identity. */
export function become(me: Me | null): void {
  identity.me = me
  keep(KEY, me !== null)
}

/** Who one is, if the server knows; nobody who has never played is asked about. */
export async function recognise(): Promise<Me | null> {
  if (identity.me || !kept(KEY, false)) return identity.me
  try {
    become(await api.me())
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'who-are-you')) throw error
    become(null)
  }
  return identity.me
}

let arriving: Promise<Me> | null = null

/** Who one is; somebody new becomes a guest. */
export async function somebody(): Promise<Me> {
  const known = await recognise()
  if (known) return known
  arriving ??= api.arrive(newName()).finally(() => (arriving = null))
  const me = await arriving
  become(me)
  return me
}
