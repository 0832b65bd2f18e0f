/** The player: a guest, created on first need, with a name that can be changed. */
import { api, ApiError } from './api/client'
import type { Me } from './api/types'
import { guestWords } from './me.text'
import { load, save } from './storage'

const KEY = 'mandala-been-here'

export const identity: { me: Me | null } = $state({ me: null })

function pick(words: string): string {
  const all = words.split(' ')
  return all[crypto.getRandomValues(new Uint32Array(1))[0]! % all.length]!
}

/** A random name for a player who has not chosen one. */
function newName(): string {
  return guestWords.join(pick(guestWords.first), pick(guestWords.second))
}

/** Set the player, and remember whether there is one. */
export function setPlayer(me: Me | null): void {
  identity.me = me
  save(KEY, me !== null)
}

/** The player known to the server, or null. Asks the server only in a browser that has played. */
export async function fetchPlayer(): Promise<Me | null> {
  if (identity.me || !load(KEY, false)) return identity.me
  try {
    setPlayer(await api.me())
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'who-are-you')) throw error
    setPlayer(null)
  }
  return identity.me
}

let creating: Promise<Me> | null = null

/** The player; creates a guest where there is none. */
export async function ensurePlayer(): Promise<Me> {
  const known = await fetchPlayer()
  if (known) return known
  creating ??= api.createGuest(newName()).finally(() => (creating = null))
  const me = await creating
  setPlayer(me)
  return me
}
