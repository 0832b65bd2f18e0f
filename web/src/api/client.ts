import { prefs } from '../prefs.svelte'
import { clientWords } from './client.text'
import { noteShare } from '../dealNotes'
import type {
  About,
  ErrorMessage,
  LessonAnswer,
  LessonInfo,
  Credential,
  Me,
  NewTable,
  OpenedTable,
  Proof,
  Replay,
  RulesInfo,
  TableInfo,
  TableState,
} from './types'

/** An error response of the server, or none at all; the message is meant for the user. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    text: string,
    readonly line: number | null = null, // of the text that was sent, from 1
    readonly column: number | null = null,
  ) {
    super(text)
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

async function request<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const text = await requestText(method, path, body)
  try {
    return (text ? JSON.parse(text) : null) as T
  } catch {
    throw new ApiError('broken', clientWords.broken)
  }
}

async function requestText(method: Method, path: string, body?: unknown): Promise<string> {
  const separator = path.includes('?') ? '&' : '?'
  let response: Response
  try {
    response = await fetch(`/api${path}${separator}language=${prefs.language}`, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
  } catch {
    throw new ApiError('offline', clientWords.offline)
  }
  const text = await response.text()
  if (response.ok) return text
  let fault: ErrorMessage
  try {
    fault = JSON.parse(text) as ErrorMessage
  } catch {
    throw new ApiError('broken', clientWords.broken)
  }
  throw new ApiError(fault.code, fault.text, fault.line ?? null, fault.column ?? null)
}

/** The server's REST API. Every call may throw an `ApiError`. */
export const api = {
  about: () => request<About>('GET', '/about'),
  me: () => request<Me>('GET', '/me'),
  createGuest: (name: string) => request<Me>('POST', '/me', { name }),
  rename: (name: string) => request<Me>('PATCH', '/me', { name }),
  deleteMe: () => request<null>('DELETE', '/me'),
  personalLink: () => request<Credential>('GET', '/me/link'),
  signInByLink: (key: string) => request<Me>('POST', '/me/link', { key }),
  myTables: (state: 'open' | 'running' | 'over') => request<TableInfo[]>('GET', `/me/tables?state=${state}`),
  tables: (state: 'open' | 'running' | 'over') => request<TableInfo[]>('GET', `/tables?state=${state}`),
  /**
   * Open a table. The player's seats are taken afterwards: the shares must come after the server's
   * commitment, or it would prove nothing.
   */
  open: async (table: NewTable) => {
    const seats = table.seats.map((wish) => (wish.kind === 'me' ? { kind: 'open' as const } : wish))
    const { state, keys } = await request<OpenedTable>('POST', '/tables', { ...table, seats })
    let latest = state
    for (const [index, { kind }] of table.seats.entries()) {
      const seat = String(index + 1)
      if (kind !== 'me') continue
      latest = await api.sit(state, index + 1, keys[seat])
      delete keys[seat]
    }
    return { state: latest, keys }
  },
  table: (id: string) => request<TableState>('GET', `/tables/${id}`),
  sit: async ({ id, commitment }: TableState, seat: number, key = '') => {
    const share = newShare()
    const state = await request<TableState>('POST', `/tables/${id}/seats/${seat}`, { share, key })
    noteShare(id, commitment, share)
    return state
  },
  record: (id: string) => requestText('GET', `/tables/${id}/record`),
  replay: (id: string, view: number | null) =>
    request<Replay>('GET', `/tables/${id}/replay${view === null ? '' : `?view=${view}`}`),
  replayRecord: (record: string, view: number | null) =>
    request<Replay>('POST', '/replays', { record, view }),
  proof: (id: string) => request<Proof>('GET', `/tables/${id}/proof`),
  rules: (game: string) => request<RulesInfo>('GET', `/rules/${game}`),
  lesson: (game: string) => request<LessonInfo>('GET', `/lessons/${game}`),
  lessonMove: (game: string, step: number, move: string) =>
    request<LessonAnswer>('POST', `/lessons/${game}/${step}`, { move }),
}

/** The player's random part of a deal. */
function newShare(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
