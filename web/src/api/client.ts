import { prefs } from '../prefs.svelte'
import { clientWords } from './client.text'
import type {
  Fault,
  GameInfo,
  Link,
  Me,
  NewTable,
  Opening,
  TableInfo,
  TableState,
} from './types'

/** The server did not do it; the message is the sentence to show. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text)
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const mark = path.includes('?') ? '&' : '?'
  let answer: Response
  try {
    answer = await fetch(`/api${path}${mark}language=${prefs.language}`, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
  } catch {
    throw new Refusal('offline', clientWords.offline)
  }
  const text = await answer.text()
  let said: unknown
  try {
    said = text ? JSON.parse(text) : null
  } catch {
    throw new Refusal('broken', clientWords.broken)
  }
  if (!answer.ok) {
    const fault = said as Fault
    throw new Refusal(fault.code, fault.text)
  }
  return said as T
}

/** The server's REST API. Everything may throw a Refusal. */
export const api = {
  games: () => ask<GameInfo[]>('GET', '/games'),
  me: () => ask<Me>('GET', '/me'),
  arrive: (name: string) => ask<Me>('POST', '/me', { name }),
  rename: (name: string) => ask<Me>('PATCH', '/me', { name }),
  forget: () => ask<null>('DELETE', '/me'),
  link: () => ask<Link>('GET', '/me/link'),
  comeBy: (key: string) => ask<Me>('POST', '/me/link', { key }),
  mine: (state: 'open' | 'running' | 'over') => ask<TableInfo[]>('GET', `/me/tables?state=${state}`),
  tables: (state: 'open' | 'running' | 'over') => ask<TableInfo[]>('GET', `/tables?state=${state}`),
  open: (table: NewTable) => ask<Opening>('POST', '/tables', { ...table, share: newShare() }),
  table: (id: string) => ask<TableState>('GET', `/tables/${id}`),
  sit: (id: string, seat: number, key = '') =>
    ask<TableState>('POST', `/tables/${id}/seats/${seat}`, { share: newShare(), key }),
}

/** One's own random part of a deal. */
export function newShare(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
