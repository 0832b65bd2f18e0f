import type { Fault, Reply, Request } from '../api/types'

/**
 * connecting: a socket is being opened. online: the table has been heard of. waiting: it broke,
 * and is tried again in a while. offline: the browser says so, or it is tried when that ends.
 * refused: the server does not want us, and says why. closed: nobody listens any more.
 */
export type Status = 'connecting' | 'online' | 'waiting' | 'offline' | 'refused' | 'closed'

/** A request without what the connection adds by itself. */
export type Wanted = Request extends infer R
  ? R extends { id: string }
    ? Omit<R, 'id' | 'number'>
    : never
  : never
export type Answer = Extract<Reply, { id: string }> | Fault

/** The part of a WebSocket that is used. */
export interface Line {
  onmessage: ((event: { data: string }) => void) | null
  onclose: ((event: { code: number }) => void) | null
  send(text: string): void
  close(): void
}

interface Options {
  /** The socket's address for somebody who has seen the events up to a number. */
  address: (after: number) => string
  onreply: (reply: Reply) => void
  onstatus: (status: Status) => void
  open?: (address: string) => Line
  random?: () => number
}

const PING_AFTER = 20_000
const SILENT_FOR = 8_000
const FIRST_WAIT = 400
const LONGEST_WAIT = 15_000
const REFUSED = 1008

/**
 * A socket at a table that comes back by itself. It goes on after the last event it saw, and
 * sends again what has not been answered, under the same id: the server does nothing twice.
 */
export class Connection {
  status: Status = 'connecting'
  private line: Line | null = null
  private number = 0
  private tries = 0
  private wishes = 0
  private readonly own = Math.random().toString(36).slice(2, 10)
  private readonly open: (address: string) => Line
  private readonly random: () => number
  private readonly unanswered = new Map<string, [Request, (answer: Answer) => void]>()
  private retry: ReturnType<typeof setTimeout> | undefined
  private watch: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly options: Options) {
    this.open = options.open ?? ((address) => new WebSocket(address) as Line)
    this.random = options.random ?? Math.random
    addEventListener('offline', this.onoffline)
    addEventListener('online', this.ononline)
    document.addEventListener('visibilitychange', this.onvisible)
    if (navigator.onLine) this.connect()
    else this.become('offline')
  }

  /** Wish for something; what comes back is the server's answer, also when it is an error. */
  ask(wanted: Wanted): Promise<Answer> {
    this.wishes += 1
    const id = `${this.own}-${this.wishes}`
    const request = { ...wanted, id, number: this.number } as Request
    return new Promise((resolve) => {
      this.unanswered.set(id, [request, resolve])
      if (this.status === 'online') this.line?.send(JSON.stringify(request))
    })
  }

  /** Listen no more. */
  close(): void {
    removeEventListener('offline', this.onoffline)
    removeEventListener('online', this.ononline)
    document.removeEventListener('visibilitychange', this.onvisible)
    this.hangUp()
    this.become('closed')
  }

  private connect(): void {
    this.hangUp()
    this.become('connecting')
    const line = this.open(this.options.address(this.number))
    this.line = line
    line.onmessage = (event) => this.hear(JSON.parse(event.data) as Reply)
    line.onclose = (event) => this.lost(event.code)
    this.expect(SILENT_FOR)
  }

  private hear(reply: Reply): void {
    this.expect(PING_AFTER)
    if (reply.type === 'welcome') {
      this.number = reply.state.number
      this.tries = 0
      this.become('online')
      for (const [request] of this.unanswered.values()) {
        // What was wished before anything had been seen answers what is seen now.
        if ('number' in request) request.number ||= this.number
        this.line?.send(JSON.stringify(request))
      }
    } else if (reply.type === 'event') {
      this.number = reply.number
    } else if (reply.type === 'error' && reply.id == null && this.status === 'connecting') {
      this.become('refused')
    } else if ('id' in reply && reply.id != null) {
      this.unanswered.get(reply.id)?.[1](reply as Answer)
      this.unanswered.delete(reply.id)
    }
    this.options.onreply(reply)
  }

  /** When nothing is heard for so long, ask; when there is no answer to that either, start anew. */
  private expect(milliseconds: number): void {
    clearTimeout(this.watch)
    this.watch = setTimeout(() => {
      if (milliseconds === PING_AFTER) {
        this.line?.send('{"type":"ping"}')
        this.expect(SILENT_FOR)
      } else {
        this.lost(0)
      }
    }, milliseconds)
  }

  private lost(code: number): void {
    this.hangUp()
    if (this.status === 'refused' || this.status === 'closed') return
    if (code === REFUSED) return this.become('refused')
    if (!navigator.onLine) return this.become('offline')
    this.become('waiting')
    const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries)
    this.tries += 1
    this.retry = setTimeout(() => this.connect(), most * (0.5 + this.random() / 2))
  }

  private hangUp(): void {
    clearTimeout(this.retry)
    clearTimeout(this.watch)
    if (!this.line) return
    this.line.onmessage = null
    this.line.onclose = null
    this.line.close()
    this.line = null
  }

  private become(status: Status): void {
    if (status === this.status && status !== 'connecting') return
    this.status = status
    this.options.onstatus(status)
  }

  private readonly onoffline = (): void => {
    if (this.status === 'refused') return
    this.hangUp()
    this.become('offline')
  }

  private readonly ononline = (): void => {
    if (this.status === 'offline' || this.status === 'waiting') this.connect()
  }

  private readonly onvisible = (): void => {
    if (!document.hidden && this.status === 'waiting') this.connect()
  }
}
