import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Reply } from '../api/types'
import { Connection, type Answer, type Line, type Status } from './connection'

class FakeLine implements Line {
  onmessage: Line['onmessage'] = null
  onclose: Line['onclose'] = null
  sent: Record<string, unknown>[] = []
  isClosed = false
  constructor(readonly address: string) {}
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>)
  }
  close(): void {
    this.isClosed = true
  }
  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
  welcomes(number: number): void {
    this.says({ type: 'welcome', state: { number }, missed: [] })
  }
  breaks(code = 1006): void {
    this.onclose?.({ code })
  }
}

let lines: FakeLine[]
let heard: Reply[]
let statuses: Status[]
let connection: Connection
const line = (): FakeLine => lines.at(-1)!

function goOnline(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
}

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  heard = []
  statuses = []
  connection = new Connection({
    address: (after) => `/socket?after=${after}`,
    onreply: (reply) => heard.push(reply),
    onstatus: (status) => statuses.push(status),
    open: (address) => {
      lines.push(new FakeLine(address))
      return line()
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
  it('is online once it has been welcomed', () => {
    expect(connection.status).toBe('connecting')
    line().welcomes(4)
    expect(connection.status).toBe('online')
    expect(heard).toHaveLength(1)
  })

  it('goes on after the last event it saw', () => {
    line().welcomes(4)
    line().says({ type: 'event', number: 5 })
    line().breaks()
    vi.advanceTimersByTime(400)
    expect(lines.map((each) => each.address)).toEqual(['/socket?after=0', '/socket?after=5'])
  })

  it('waits longer each time, up to a bound, and anew after a welcome', () => {
    for (const wait of [400, 800, 1600, 3200, 6400, 12800, 15000, 15000]) {
      const before = lines.length
      line().breaks()
      vi.advanceTimersByTime(wait - 1)
      expect(lines).toHaveLength(before)
      vi.advanceTimersByTime(1)
      expect(lines).toHaveLength(before + 1)
    }
    line().welcomes(1)
    line().breaks()
    vi.advanceTimersByTime(400)
    expect(connection.status).toBe('connecting')
  })

  it('sends what was not answered again, under the same id, and no more once it is', async () => {
    line().welcomes(4)
    const answer = connection.ask({ type: 'move', move: 'A1r' })
    const sent = line().sent[0]!
    expect(sent).toMatchObject({ type: 'move', move: 'A1r', number: 4 })
    line().breaks()
    vi.advanceTimersByTime(400)
    expect(line().sent).toEqual([])
    line().welcomes(5)
    expect(line().sent).toEqual([sent])
    line().says({ type: 'done', id: sent.id, number: 5 })
    expect(await answer).toMatchObject({ type: 'done', number: 5 })
    line().breaks()
    vi.advanceTimersByTime(400)
    line().welcomes(5)
    expect(line().sent).toEqual([])
  })

  it('sends what is wished while there is no connection as soon as there is', () => {
    void connection.ask({ type: 'why', move: 'B1r' })
    expect(line().sent).toEqual([])
    line().welcomes(2)
    expect(line().sent).toMatchObject([{ type: 'why', move: 'B1r' }])
  })

  it('answers what it sees first when something was wished before that', () => {
    void connection.ask({ type: 'rematch' })
    line().welcomes(7)
    expect(line().sent).toMatchObject([{ type: 'rematch', number: 7 }])
  })

  it('gives different wishes different ids', () => {
    line().welcomes(1)
    void connection.ask({ type: 'resign' })
    void connection.ask({ type: 'resign' })
    expect(line().sent[0]!.id).not.toBe(line().sent[1]!.id)
  })

  it('hands over an error as the answer to its wish', async () => {
    line().welcomes(1)
    const answers: Answer[] = []
    void connection.ask({ type: 'resign' }).then((each) => answers.push(each))
    line().says({ type: 'error', id: line().sent[0]!.id, code: 'too-late', text: 'Too late.' })
    await Promise.resolve()
    expect(answers).toMatchObject([{ code: 'too-late' }])
    expect(connection.status).toBe('online')
  })

  it('asks after a silence, and starts anew when there is no answer', () => {
    line().welcomes(1)
    vi.advanceTimersByTime(20_000)
    expect(line().sent).toEqual([{ type: 'ping' }])
    line().says({ type: 'pong', now: 1 })
    vi.advanceTimersByTime(20_000)
    expect(line().sent).toHaveLength(2)
    const silent = line()
    vi.advanceTimersByTime(8_000)
    expect(silent.isClosed).toBe(true)
    expect(connection.status).toBe('waiting')
  })

  it('gives up a socket that never opens', () => {
    vi.advanceTimersByTime(8_000)
    expect(lines[0]!.isClosed).toBe(true)
    expect(connection.status).toBe('waiting')
  })

  it('does not try while the browser is offline, and at once when it is back', () => {
    line().welcomes(3)
    goOnline(false)
    expect(connection.status).toBe('offline')
    vi.advanceTimersByTime(60_000)
    expect(lines).toHaveLength(1)
    goOnline(true)
    expect(lines).toHaveLength(2)
    expect(line().address).toBe('/socket?after=3')
  })

  it('does not come back when it is refused', () => {
    line().says({ type: 'error', code: 'no-such-table', text: 'No such table.' })
    line().breaks(1008)
    vi.advanceTimersByTime(60_000)
    expect(lines).toHaveLength(1)
    expect(connection.status).toBe('refused')
    expect(heard).toMatchObject([{ code: 'no-such-table' }])
  })

  it('does nothing any more once it is closed', () => {
    const first = line()
    connection.close()
    goOnline(false)
    goOnline(true)
    vi.advanceTimersByTime(60_000)
    expect(first.isClosed).toBe(true)
    expect(lines).toHaveLength(1)
    expect(statuses.at(-1)).toBe('closed')
  })
})
