import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Reply } from '../api/types'
import { Connection, type Answer, type Socket, type Status } from './connection'

class FakeSocket implements Socket {
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null
  sent: Record<string, unknown>[] = []
  isClosed = false
  constructor(readonly address: string) {}
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>)
  }
  close(): void {
    this.isClosed = true
  }
  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
  receiveWelcome(number: number): void {
    this.receive({ type: 'welcome', state: { number }, missed: [] })
  }
  drop(code = 1006): void {
    this.onclose?.({ code })
  }
}

let sockets: FakeSocket[]
let replies: Reply[]
let statuses: Status[]
let connection: Connection
const socket = (): FakeSocket => sockets.at(-1)!

function setOnline(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
}

beforeEach(() => {
  vi.useFakeTimers()
  sockets = []
  replies = []
  statuses = []
  connection = new Connection({
    address: (after) => `/socket?after=${after}`,
    onreply: (reply) => replies.push(reply),
    onstatus: (status) => statuses.push(status),
    open: (address) => {
      sockets.push(new FakeSocket(address))
      return socket()
    },
    random: () => 1,
  })
})

afterEach(() => {
  connection.close()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('a connection', () => {
  it('is online once it has received the welcome', () => {
    expect(connection.status).toBe('connecting')
    socket().receiveWelcome(4)
    expect(connection.status).toBe('online')
    expect(replies).toHaveLength(1)
  })

  it('continues after the last event it received', () => {
    socket().receiveWelcome(4)
    socket().receive({ type: 'event', number: 5 })
    socket().drop()
    vi.advanceTimersByTime(400)
    expect(sockets.map((each) => each.address)).toEqual(['/socket?after=0', '/socket?after=5'])
  })

  it('retries with growing delays up to a limit, and starts over after a welcome', () => {
    for (const wait of [400, 800, 1600, 3200, 6400, 12800, 15000, 15000]) {
      const before = sockets.length
      socket().drop()
      vi.advanceTimersByTime(wait - 1)
      expect(sockets).toHaveLength(before)
      vi.advanceTimersByTime(1)
      expect(sockets).toHaveLength(before + 1)
    }
    socket().receiveWelcome(1)
    socket().drop()
    vi.advanceTimersByTime(400)
    expect(connection.status).toBe('connecting')
  })

  it('resends unanswered requests under the same id until they are answered', async () => {
    socket().receiveWelcome(4)
    const answer = connection.request({ type: 'move', move: 'A1r' })
    const sent = socket().sent[0]!
    expect(sent).toMatchObject({ type: 'move', move: 'A1r', number: 4 })
    socket().drop()
    vi.advanceTimersByTime(400)
    expect(socket().sent).toEqual([])
    socket().receiveWelcome(5)
    expect(socket().sent).toEqual([sent])
    socket().receive({ type: 'done', id: sent.id, number: 5 })
    expect(await answer).toMatchObject({ type: 'done', number: 5 })
    socket().drop()
    vi.advanceTimersByTime(400)
    socket().receiveWelcome(5)
    expect(socket().sent).toEqual([])
  })

  it('sends requests made without a connection as soon as there is one', () => {
    void connection.request({ type: 'why', move: 'B1r' })
    expect(socket().sent).toEqual([])
    socket().receiveWelcome(2)
    expect(socket().sent).toMatchObject([{ type: 'why', move: 'B1r' }])
  })

  it('sends requests made before the first welcome with the number of that welcome', () => {
    void connection.request({ type: 'rematch' })
    socket().receiveWelcome(7)
    expect(socket().sent).toMatchObject([{ type: 'rematch', number: 7 }])
  })

  it('gives different requests different ids', () => {
    socket().receiveWelcome(1)
    void connection.request({ type: 'resign' })
    void connection.request({ type: 'resign' })
    expect(socket().sent[0]!.id).not.toBe(socket().sent[1]!.id)
  })

  it('resolves a request to the error that answers it', async () => {
    socket().receiveWelcome(1)
    const answers: Answer[] = []
    void connection.request({ type: 'resign' }).then((each) => answers.push(each))
    socket().receive({ type: 'error', id: socket().sent[0]!.id, code: 'too-late', text: 'Too late.' })
    await Promise.resolve()
    expect(answers).toMatchObject([{ code: 'too-late' }])
    expect(connection.status).toBe('online')
  })

  it('sends a ping after a silence, and reconnects without an answer', () => {
    socket().receiveWelcome(1)
    vi.advanceTimersByTime(20_000)
    expect(socket().sent).toEqual([{ type: 'ping' }])
    socket().receive({ type: 'pong', now: 1 })
    vi.advanceTimersByTime(20_000)
    expect(socket().sent).toHaveLength(2)
    const silent = socket()
    vi.advanceTimersByTime(8_000)
    expect(silent.isClosed).toBe(true)
    expect(connection.status).toBe('waiting')
  })

  it('gives up a socket that never opens', () => {
    vi.advanceTimersByTime(8_000)
    expect(sockets[0]!.isClosed).toBe(true)
    expect(connection.status).toBe('waiting')
  })

  it('does not retry while the browser is offline, and reconnects at once afterwards', () => {
    socket().receiveWelcome(3)
    setOnline(false)
    expect(connection.status).toBe('offline')
    vi.advanceTimersByTime(60_000)
    expect(sockets).toHaveLength(1)
    setOnline(true)
    expect(sockets).toHaveLength(2)
    expect(socket().address).toBe('/socket?after=3')
  })

  it('does not reconnect when it is refused', () => {
    socket().receive({ type: 'error', code: 'no-such-table', text: 'No such table.' })
    socket().drop(1008)
    vi.advanceTimersByTime(60_000)
    expect(sockets).toHaveLength(1)
    expect(connection.status).toBe('refused')
    expect(replies).toMatchObject([{ code: 'no-such-table' }])
  })

  it('does nothing once it is closed', () => {
    const first = socket()
    connection.close()
    setOnline(false)
    setOnline(true)
    vi.advanceTimersByTime(60_000)
    expect(first.isClosed).toBe(true)
    expect(sockets).toHaveLength(1)
    expect(statuses.at(-1)).toBe('closed')
  })
})
