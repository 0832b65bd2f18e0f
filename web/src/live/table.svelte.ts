import type { ErrorMessage, EventMessage, Reply, TableState } from '../api/types'
import { noteEvents } from '../dealNotes'
import { announce } from '../notices.svelte'
import { animationMs, prefs } from '../prefs.svelte'
import { Connection, type Answer, type RequestBody, type Status } from './connection'

/** An event of the table in words. */
export interface LogEntry {
  number: number
  kind: string
  seat: number | null
  text: string // its narration
}

const EVENT_INTERVAL_MS = 650 // between two events that arrive together
const MAX_QUEUED_EVENTS = 4 // with more, the last one is shown at once

/**
 * A live table as it is shown. Events that arrive together are shown one after the other, at a pace
 * that can be followed; `showAll` skips to the last one, so that a player never waits to act.
 */
export class LiveTable {
  state: TableState | null = $state.raw(null)
  status: Status = $state('connecting')
  fault: ErrorMessage | null = $state.raw(null)
  log: LogEntry[] = $state.raw([])
  last: string[] = $state.raw([])
  lastSeat: number | null = $state(null)
  isSending = $state(false)
  present: number[] | null = $state.raw(null) // the connected seats, once known
  /** How far the server's clock is ahead of this one, in milliseconds. */
  clockOffset = 0
  private readonly connection: Connection
  private queue: EventMessage[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private shownAt = 0

  constructor(
    readonly id: string,
    seat: number | null,
    private readonly onevent: (news: EventMessage) => void = () => undefined,
    private readonly onready: (table: LiveTable) => void = () => undefined,
  ) {
    this.connection = new Connection({
      address: (after) => socketAddress(id, seat, after),
      onreply: (reply) => this.handleReply(reply),
      onstatus: (status) => (this.status = status),
    })
  }

  /** Send a request to the table; first shows all events that are queued. */
  async request(body: RequestBody): Promise<Answer> {
    const changesTable = body.type !== 'why' && body.type !== 'hint'
    this.showAll()
    if (changesTable) this.isSending = true
    try {
      const answer = await this.connection.request(body)
      // These do not depend on the position: sent again when an event came in between.
      const isStillMeant = body.type === 'rematch' || body.type === 'resign'
      const isTooLate = answer.type === 'error' && answer.code === 'too-late'
      return isStillMeant && isTooLate ? await this.connection.request(body) : answer
    } finally {
      if (changesTable) this.isSending = false
    }
  }

  /** Show all queued events at once. */
  showAll(): void {
    clearTimeout(this.timer)
    for (const news of this.queue.splice(0)) this.show(news)
  }

  /** Close the connection and drop all that was received. */
  close(): void {
    clearTimeout(this.timer)
    this.connection.close()
    this.queue = []
    this.state = null
    this.log = []
    this.last = []
  }

  private handleReply(reply: Reply): void {
    if (reply.type === 'welcome') {
      noteEvents(this.id, reply.missed)
      this.welcome(reply.state, reply.missed)
    } else if (reply.type === 'event') {
      noteEvents(this.id, [reply])
      this.queue.push(reply)
      if (this.queue.length > MAX_QUEUED_EVENTS || document.hidden) this.showAll()
      else this.showSoon()
    } else if (reply.type === 'presence') {
      this.present = reply.seats
    } else if (reply.type === 'error' && this.status === 'refused') {
      this.fault = reply
      this.onready(this)
    }
  }

  private welcome(state: TableState, missed: EventMessage[]): void {
    clearTimeout(this.timer)
    this.queue = []
    this.clockOffset = state.now - Date.now()
    this.state = state
    const known = this.log.at(-1)?.number ?? 0
    const added = missed.filter((news) => news.number > known).map(logEntry)
    this.log = [...this.log, ...added]
    const moved = missed.findLast((news) => news.plies.length > 0)
    if (moved) this.setLast(moved)
    if (known && added.length) announce(added.at(-1)!.text)
    for (const news of missed) if (known && news.number > known) this.onevent(news)
    this.onready(this)
  }

  private showSoon(): void {
    clearTimeout(this.timer)
    const wait = this.shownAt + animationMs(EVENT_INTERVAL_MS) - Date.now()
    if (wait > 0) {
      this.timer = setTimeout(() => this.showNext(), wait)
    } else {
      this.showNext()
    }
  }

  private showNext(): void {
    const news = this.queue.shift()
    if (news) this.show(news)
    if (this.queue.length) this.showSoon()
  }

  private show(news: EventMessage): void {
    this.shownAt = Date.now()
    const entry = logEntry(news)
    this.log = [...this.log, entry]
    if (news.state) {
      this.state = news.state
      this.clockOffset = news.state.now - Date.now()
    }
    if (news.plies.length || news.kind === 'taken-back') this.setLast(news)
    announce(entry.text)
    this.onevent(news)
  }

  private setLast(news: EventMessage): void {
    this.last = news.plies
    this.lastSeat = news.seat
  }
}

function logEntry(news: EventMessage): LogEntry {
  const text = news.narration.map((sentence) => sentence.text).join(' ')
  return { number: news.number, kind: news.kind, seat: news.seat, text }
}

/** The URL of a table's socket. After event 1, the opening, the server sends all events. */
export function socketAddress(id: string, seat: number | null, after: number): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const query = new URLSearchParams({ after: String(after || 1), language: prefs.language })
  if (seat !== null) query.set('seat', String(seat))
  return `${scheme}://${location.host}/api/tables/${id}/socket?${query}`
}
