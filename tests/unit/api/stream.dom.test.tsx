/** The event stream: parsing, reconnecting and closing. */
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadRefresh } from '../../../src/api/client.ts'
import { deliveredDevices } from '../../../src/api/deliveredDevices.ts'
import { openStream, type StreamListener } from '../../../src/api/stream.ts'
import { connection } from '../../../src/store/connection.ts'
import { clearSession, session, setSession } from '../../../src/store/session.ts'
import { until } from '../../support/until.ts'

interface StreamConnection {
  readonly token: string | null
  readonly signal: AbortSignal
  send(bytes: Uint8Array): void
  end(): void
}
let streams: StreamConnection[]
let responses: (() => Response | Promise<Response> | undefined)[]
let refresh: () => Response | Promise<Response>
let log: string[]
let stop: () => void
/** The token that streams are refused for. */
let expiredToken: string | undefined

const listener: StreamListener = {
  onOpen: () => log.push('opened'),
  onLost: () => log.push('lost'),
  onDevices: data => log.push(`devices ${[...deliveredDevices(data).keys()].join()}`),
  handlers: {
    notifications: ({ notifications }) => log.push(`notifications ${notifications.length}`),
    changed: ({ resources }) => log.push(`changed ${resources.join()}`),
    seen: () => log.push('seen'),
    progress: ({ id, done, failed, total }) => log.push(`progress ${id} ${done}+${failed}/${total}`),
    ping: () => log.push('ping'),
  },
}

/** Returns a stream that stays open until the test ends it or the client aborts it. */
function openStreamResponse(token: string | null, signal: AbortSignal): Response {
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(opened) {
      controller = opened
      signal.addEventListener('abort', () => opened.error(signal.reason))
    },
  })
  streams.push({
    token,
    signal,
    send: bytes => controller.enqueue(bytes),
    end: () => controller.close(),
  })
  return new Response(body)
}

beforeAll(loadRefresh)
beforeEach(() => {
  vi.useFakeTimers()
  streams = []
  responses = []
  expiredToken = undefined
  const data = { access_token: 'new', refresh_token: 'next', user_id: '1', user_role: 'admin' }
  refresh = () => new Response(JSON.stringify({ data }))
  log = []
  connection.online = true
  setSession({ accessToken: 'old', refreshToken: 'first', userId: '1', userRole: 'admin', login: 'admin' })
  vi.stubGlobal('fetch', async (path: string, options: RequestInit) => {
    const token = new Headers(options.headers).get('access-token')
    if (path.endsWith('/auth/refresh')) return refresh()
    if (!path.endsWith('/stream')) throw new Error(path)
    if (token === expiredToken) return new Response('{}', { status: 401 })
    return (await responses.shift()?.()) ?? openStreamResponse(token, options.signal!)
  })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  clearSession()
  setHidden(false)
})

function setHidden(hidden: boolean) {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
  document.dispatchEvent(new Event('visibilitychange'))
}
const start = async () => {
  stop = openStream(listener)
  await vi.advanceTimersByTimeAsync(0)
}
const bytesOf = (text: string) => new TextEncoder().encode(text)
const failToConnect = () => Promise.reject(new TypeError('Failed to fetch'))
const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

describe('parsing the stream', () => {
  const text =
    event('ping', {}) +
    'event: devices\ndata: {"devices":[\ndata: {"bssid":"A"},\ndata: {"bssid":"Ä💧"}\ndata: ]}\n\n' +
    ': a comment\n\n' +
    event('of tomorrow', {}) +
    event('notifications', { notifications: [{}, {}] }) +
    event('changed', { resources: ['devices', 'vendors'] }) +
    event('seen', {}) +
    event('progress', { id: 'p', done: 3, failed: 1, total: 9 })
  // The bytes are also split within a character.
  const bytes = bytesOf(text)
  const expected = [
    'opened',
    'ping',
    'devices A,Ä💧',
    'notifications 2',
    'changed devices,vendors',
    'seen',
    'progress p 3+1/9',
  ]

  test('law: gives the same events wherever the bytes are split', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async cuts => {
        log = []
        await start()
        const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length]
        for (const [at, place] of places.entries()) if (at > 0) streams.at(-1)!.send(bytes.slice(places[at - 1], place))
        await vi.advanceTimersByTimeAsync(0)
        expect(log).toEqual(expected)
        stop()
        await vi.advanceTimersByTimeAsync(0)
      }),
      { numRuns: 30 },
    )
  })
})

test('connection.live is stream while the stream is open, and polling after it was stopped', async () => {
  expect(connection.live).toBe('polling')
  await start()
  expect(connection.live).toBe('stream')
  expect(streams).toMatchObject([{ token: 'old' }])
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(connection.live).toBe('polling')
  expect(streams[0]!.signal.aborted).toBe(true)
  expect(streams).toHaveLength(1)
})

test('an expired token is refreshed, and the stream opened with the new one', async () => {
  responses = [() => new Response('{}', { status: 401 })]
  await start()
  await until(() => expect(streams).toMatchObject([{ token: 'new' }]))
  expect(session.accessToken).toBe('new')
  expect(log).toEqual(['opened'])
})

test('while a token refresh has no answer, the stream waits for its next attempt, and opens once it succeeds', async () => {
  expiredToken = 'old'
  let refreshes = 0
  const answeredRefresh = refresh
  refresh = () => {
    refreshes++
    return failToConnect()
  }
  await start()
  await vi.advanceTimersByTimeAsync(7_000)
  expect(refreshes).toBeGreaterThan(1)
  expect(refreshes).toBeLessThan(4)
  expect(connection.live).toBe('offline')
  refresh = answeredRefresh
  await vi.advanceTimersByTimeAsync(30_000)
  expect(connection.live).toBe('stream')
  expect(streams).toMatchObject([{ token: 'new' }])
})

test('a stream that ends is opened again within a second', async () => {
  await start()
  streams[0]!.end()
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.live).toBe('polling')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(connection.live).toBe('stream')
  expect(log).toEqual(['opened', 'opened'])
})

test('retries back off up to 30 seconds, and the loss is reported once', async () => {
  const attempts: number[] = []
  await start()
  responses = Array.from({ length: 12 }, () => () => {
    attempts.push(Date.now())
    return failToConnect()
  })
  streams[0]!.end()
  while (responses.length > 0) await vi.advanceTimersByTimeAsync(1_000)
  const pauses = attempts.slice(1).map((at, index) => at - attempts[index]!)
  for (const [index, pause] of pauses.entries()) {
    const maxPause = Math.min(1_000 * 2 ** index, 30_000)
    expect(pause).toBeGreaterThanOrEqual(maxPause / 2)
    expect(pause).toBeLessThanOrEqual(maxPause + 1)
  }
  expect(pauses).toHaveLength(11)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(log).toEqual(['opened', 'lost', 'opened'])
  expect(connection.live).toBe('stream')
})

test('the stream is retried at once when another call reaches the server', async () => {
  responses = Array.from({ length: 6 }, () => failToConnect)
  await start()
  connection.online = false
  await vi.advanceTimersByTimeAsync(30_000)
  responses = []
  const before = streams.length
  connection.online = true
  await vi.advanceTimersByTimeAsync(0)
  expect(streams).toHaveLength(before + 1)
})

test('a stream without an event for longer than two ping intervals is replaced', async () => {
  await start()
  await vi.advanceTimersByTimeAsync(30_000)
  streams[0]!.send(bytesOf(event('ping', {})))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(streams).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(streams[0]!.signal.aborted).toBe(true)
  expect(streams).toHaveLength(2)
})

describe('a hidden tab', () => {
  test('opens no stream until it is visible', async () => {
    setHidden(true)
    await start()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(streams).toHaveLength(0)
    setHidden(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(connection.live).toBe('stream')
  })

  test('keeps the stream for a while, then closes it until it is visible again', async () => {
    await start()
    setHidden(true)
    await vi.advanceTimersByTimeAsync(5_000)
    setHidden(false)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(streams).toHaveLength(1)
    expect(streams[0]!.signal.aborted).toBe(false)
    setHidden(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(streams[0]!.signal.aborted).toBe(true)
    expect(streams).toHaveLength(1)
    expect(connection.live).toBe('polling')
    setHidden(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(connection.live).toBe('stream')
  })
})
