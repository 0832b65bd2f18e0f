import type { Fault, News, Reply, TableState } from '../api/types'
import { announce } from '../notices.svelte'
import { animationMs, prefs } from '../prefs.svelte'
import { named, withNames } from '../text/players.text'
import { Connection, type Answer, type Status, type Wanted } from './connection'

/** Something that happened, in sentences. */
export interface Told {
  number: number
  kind: string
  seat: number | null
  sentences: string[]
}

const PACE = 650 // milliseconds between two events that arrive together
const MOST_BEHIND = 4 // events; with more of them the last one is shown at once

/**
 * A live table as it is shown. Events that arrive together are shown one after the other, so that
 * one can follow them; `hurry` shows the last one at once, for nobody has to wait to act.
 */
export class LiveTable {
  state: TableState | null = $state.raw(null)
  status: Status = $state('connecting')
  fault: Fault | null = $state.raw(null)
  told: Told[] = $state.raw([])
  last: string[] = $state.raw([])
  lastSeat: number | null = $state(null)
  isSending = $state(false)
  present: number[] | null = $state.raw(null) // the seats with somebody connected, once known
  /** What the server's clock is ahead of ours, in milliseconds. */
  ahead = 0
  private readonly connection: Connection
  private queue: News[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private shownAt = 0

  constructor(
    readonly id: string,
    seat: number | null,
    private readonly onnews: (news: News) => void = () => undefined,
    private readonly onready: (table: LiveTable) => void = () => undefined,
  ) {
    this.connection = new Connection({
      address: (after) => socketAddress(id, seat, after),
      onreply: (reply) => this.hear(reply),
      onstatus: (status) => (this.status = status),
    })
  }

  /** Wish for something at the table. */
  async ask(wanted: Wanted): Promise<Answer> {
    const isWish = wanted.type !== 'why' && wanted.type !== 'hint'
    this.hurry()
    if (isWish) this.isSending = true
    try {
      const answer = await this.connection.ask(wanted)
      // Whatever came in between, these are meant all the same.
      const isMeant = wanted.type === 'rematch' || wanted.type === 'resign'
      const isLate = answer.type === 'error' && answer.code === 'too-late'
      return isMeant && isLate ? await this.connection.ask(wanted) : answer
    } finally {
      if (isWish) this.isSending = false
    }
  }

  /** Show what has happened by now. */
  hurry(): void {
    clearTimeout(this.timer)
    for (const news of this.queue.splice(0)) this.show(news)
  }

  /** Leave the table, and forget what was seen there. */
  close(): void {
    clearTimeout(this.timer)
    this.connection.close()
    this.queue = []
    this.state = null
    this.told = []
    this.last = []
  }

  private hear(reply: Reply): void {
    if (reply.type === 'welcome') {
      this.welcome(reply.state, reply.missed)
    } else if (reply.type === 'event') {
      this.queue.push(reply)
      if (this.queue.length > MOST_BEHIND || document.hidden) this.hurry()
      else this.showSoon()
    } else if (reply.type === 'presence') {
      this.present = reply.seats
    } else if (reply.type === 'error' && this.status === 'refused') {
      this.fault = reply
      this.onready(this)
    }
  }

  private welcome(state: TableState, missed: News[]): void {
    clearTimeout(this.timer)
    this.queue = []
    this.ahead = state.now - Date.now()
    this.state = state
    const known = this.told.at(-1)?.number ?? 0
    const added = missed.filter((news) => news.number > known).map(story)
    this.told = [...this.told, ...added]
    const moved = missed.findLast((news) => news.plies.length > 0)
    if (moved) this.point(moved)
    if (known && added.length) announce(this.say(added.at(-1)!.sentences))
    for (const news of missed) if (known && news.number > known) this.onnews(news)
    this.onready(this)
  }

  private showSoon(): void {
    clearTimeout(this.timer)
    const wait = this.shownAt + animationMs(PACE) - Date.now()
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

  private show(news: News): void {
    this.shownAt = Date.now()
    this.told = [...this.told, story(news)]
    if (news.state) {
      this.state = news.state
      this.ahead = news.state.now - Date.now()
    }
    if (news.plies.length || news.kind === 'taken-back') this.point(news)
    announce(this.say(news.told))
    this.onnews(news)
  }

  private say(sentences: string[]): string {
    const seats = this.state?.seats ?? []
    const own = seats.filter((seat) => seat.you).map((seat) => seat.seat)
    return sentences.map((each) => withNames(each, named(seats, own))).join(' ')
  }

  private point(news: News): void {
    this.last = news.plies
    this.lastSeat = news.seat
  }
}

function story(news: News): Told {
  return { number: news.number, kind: news.kind, seat: news.seat, sentences: news.told }
}

/** Asked for what came after the opening, the server tells the whole story. */
export function socketAddress(id: string, seat: number | null, after: number): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const query = new URLSearchParams({ after: String(after || 1), language: prefs.language })
  if (seat !== null) query.set('seat', String(seat))
  return `${scheme}://${location.host}/api/tables/${id}/socket?${query}`
}
