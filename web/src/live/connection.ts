import type { ErrorMessage, Reply, Request } from '../api/types'

/**
 * connecting: a socket is being opened. online: the server has sent the table. waiting: the
 * connection was lost and will be retried. offline: the browser has no network. refused: the server
 * rejected the connection with a reason. closed: closed by the page.
 */
export type Status = 'connecting' | 'online' | 'waiting' | 'offline' | 'refused' | 'closed'

/** A request without the fields that the connection adds. */
export type RequestBody = Request extends infer R
  ? R extends { id: string }
    ? Omit<R, 'id' | 'number'>
    : never
  : never
export type Answer = Extract<Reply, { id: string }> | ErrorMessage

/** The part of a WebSocket that is used here. */
export interface Socket {
  onmessage: ((event: { data: string }) => void) | null
  onclose: ((event: { code: number }) => void) | null
  send(text: string): void
  close(): void
}

interface Options {
  /** The socket's URL for a client that has the events up to a number. */
  address: (after: number) => string
  onreply: (reply: Reply) => void
  onstatus: (status: Status) => void
  open?: (address: string) => Socket
  random?: () => number
}

const PING_AFTER_MS = 20_000
const REPLY_TIMEOUT_MS = 8_000
const MIN_RETRY_MS = 400
const MAX_RETRY_MS = 15_000
const POLICY_VIOLATION = 1008

/**
 * A WebSocket to a table that reconnects by itself. It continues after the last event it received
 * and resends unanswered requests under the same id, so that the server executes none twice.
 */
export class Connection {
  status: Status = 'connecting'
  private socket: Socket | null = null
  private number = 0
  private attempts = 0
  private requestCount = 0
  private readonly clientId = Math.random().toString(36).slice(2, 10)
  private readonly open: (address: string) => Socket
  private readonly random: () => number
  private readonly pending = new Map<string, [Request, (answer: Answer) => void]>()
  private retryTimer: ReturnType<typeof setTimeout> | undefined
  private silenceTimer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly options: Options) {
    this.open = options.open ?? ((address) => new WebSocket(address) as Socket)
    this.random = options.random ?? Math.random
    addEventListener('offline', this.onoffline)
    addEventListener('online', this.ononline)
    document.addEventListener('visibilitychange', this.onvisible)
    if (navigator.onLine) this.connect()
    else this.setStatus('offline')
  }

  /** Send a request; resolves to the server's answer, which may be an error. */
  request(body: RequestBody): Promise<Answer> {
    this.requestCount += 1
    const id = `${this.clientId}-${this.requestCount}`
    const request = { ...body, id, number: this.number } as Request
    return new Promise((resolve) => {
      this.pending.set(id, [request, resolve])
      if (this.status === 'online') this.socket?.send(JSON.stringify(request))
    })
  }

  /** Close the connection for good. */
  close(): void {
    removeEventListener('offline', this.onoffline)
    removeEventListener('online', this.ononline)
    document.removeEventListener('visibilitychange', this.onvisible)
    this.disconnect()
    this.setStatus('closed')
  }

  private connect(): void {
    this.disconnect()
    this.setStatus('connecting')
    const socket = this.open(this.options.address(this.number))
    this.socket = socket
    socket.onmessage = (event) => this.handleReply(JSON.parse(event.data) as Reply)
    socket.onclose = (event) => this.handleClose(event.code)
    this.expectReplyWithin(REPLY_TIMEOUT_MS)
  }

  private handleReply(reply: Reply): void {
    this.expectReplyWithin(PING_AFTER_MS)
    if (reply.type === 'welcome') {
      this.number = reply.state.number
      this.attempts = 0
      this.setStatus('online')
      for (const [request] of this.pending.values()) {
        // A request made before the first welcome refers to the state of that welcome.
        if ('number' in request) request.number ||= this.number
        this.socket?.send(JSON.stringify(request))
      }
    } else if (reply.type === 'event') {
      this.number = reply.number
    } else if (reply.type === 'error' && reply.id == null && this.status === 'connecting') {
      this.setStatus('refused')
    } else if ('id' in reply && reply.id != null) {
      this.pending.get(reply.id)?.[1](reply as Answer)
      this.pending.delete(reply.id)
    }
    this.options.onreply(reply)
  }

  /** Send a ping after a silence of PING_AFTER_MS; reconnect when nothing is received then either. */
  private expectReplyWithin(milliseconds: number): void {
    clearTimeout(this.silenceTimer)
    this.silenceTimer = setTimeout(() => {
      if (milliseconds === PING_AFTER_MS) {
        this.socket?.send('{"type":"ping"}')
        this.expectReplyWithin(REPLY_TIMEOUT_MS)
      } else {
        this.handleClose(0)
      }
    }, milliseconds)
  }

  private handleClose(code: number): void {
    this.disconnect()
    if (this.status === 'refused' || this.status === 'closed') return
    if (code === POLICY_VIOLATION) return this.setStatus('refused')
    if (!navigator.onLine) return this.setStatus('offline')
    this.setStatus('waiting')
    const wait = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** this.attempts)
    this.attempts += 1
    this.retryTimer = setTimeout(() => this.connect(), wait * (0.5 + this.random() / 2))
  }

  private disconnect(): void {
    clearTimeout(this.retryTimer)
    clearTimeout(this.silenceTimer)
    if (!this.socket) return
    this.socket.onmessage = null
    this.socket.onclose = null
    this.socket.close()
    this.socket = null
  }

  private setStatus(status: Status): void {
    if (status === this.status && status !== 'connecting') return
    this.status = status
    this.options.onstatus(status)
  }

  private readonly onoffline = (): void => {
    if (this.status === 'refused') return
    this.disconnect()
    this.setStatus('offline')
  }

  private readonly ononline = (): void => {
    if (this.status === 'offline' || this.status === 'waiting') this.connect()
  }

  private readonly onvisible = (): void => {
    if (!document.hidden && this.status === 'waiting') this.connect()
  }
}
