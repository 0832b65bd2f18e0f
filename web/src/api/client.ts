import { prefs } from '../prefs.svelte'
import { clientWords } from './client.text'
import { noteShare } from '../shares'
import type {
  About,
  Fault,
  LessonAnswer,
  LessonInfo,
  Link,
  Me,
  NewTable,
  Opening,
  Proof,
  Replay,
  RulesInfo,
  TableInfo,
  TableState,
} from './types'

/** The server did not do it; the message is the sentence to show. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    text: string,
    readonly line: number | null = null, // where in a text that was sent, from 1
    readonly column: number | null = null,
  ) {
    super(text)
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const text = await askText(method, path, body)
  try {
    return (text ? JSON.parse(text) : null) as T
  } catch {
    throw new Refusal('broken', clientWords.broken)
  }
}

async function askText(method: Method, path: string, body?: unknown): Promise<string> {
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
  if (answer.ok) return text
  let fault: Fault
  try {
    fault = JSON.parse(text) as Fault
  } catch {
    throw new Refusal('broken', clientWords.broken)
  }
  throw new Refusal(fault.code, fault.text, fault.line ?? null, fault.column ?? null)
}

/** The server's REST API. Everything may throw a Refusal. */
export const api = {
  about: () => ask<About>('GET', '/about'),
  me: () => ask<Me>('GET', '/me'),
  arrive: (name: string) => ask<Me>('POST', '/me', { name }),
  rename: (name: string) => ask<Me>('PATCH', '/me', { name }),
  forget: () => ask<null>('DELETE', '/me'),
  link: () => ask<Link>('GET', '/me/link'),
  comeBy: (key: string) => ask<Me>('POST', '/me/link', { key }),
  mine: (state: 'open' | 'running' | 'over') => ask<TableInfo[]>('GET', `/me/tables?state=${state}`),
  tables: (state: 'open' | 'running' | 'over') => ask<TableInfo[]>('GET', `/tables?state=${state}`),
  /** Open a table; own seats are taken once its commitment is known, or it would bind nobody. */
  open: async (table: NewTable) => {
    const seats = table.seats.map((wish) => (wish.kind === 'me' ? { kind: 'open' as const } : wish))
    const { state, keys } = await ask<Opening>('POST', '/tables', { ...table, seats })
    let seen = state
    for (const [index, { kind }] of table.seats.entries()) {
      const seat = String(index + 1)
      if (kind !== 'me') continue
      seen = await api.sit(state, index + 1, keys[seat])
      delete keys[seat]
    }
    return { state: seen, keys }
  },
  table: (id: string) => ask<TableState>('GET', `/tables/${id}`),
  sit: async ({ id, commitment }: TableState, seat: number, key = '') => {
    const share = newShare()
    const state = await ask<TableState>('POST', `/tables/${id}/seats/${seat}`, { share, key })
    noteShare(id, commitment, share)
    return state
  },
  record: (id: string) => askText('GET', `/tables/${id}/record`),
  replay: (id: string, view: number | null) =>
    ask<Replay>('GET', `/tables/${id}/replay${view === null ? '' : `?view=${view}`}`),
  replayRecord: (record: string, view: number | null) =>
    ask<Replay>('POST', '/replays', { record, view }),
  proof: (id: string) => ask<Proof>('GET', `/tables/${id}/proof`),
  rules: (game: string) => ask<RulesInfo>('GET', `/rules/${game}`),
  lesson: (game: string) => ask<LessonInfo>('GET', `/lessons/${game}`),
  lessonMove: (game: string, step: number, move: string) =>
    ask<LessonAnswer>('POST', `/lessons/${game}/${step}`, { move }),
}

/** One's own random part of a deal. */
function newShare(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
