/** The line to the server: what is heard on it, when it is opened again, and when it is given up. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openStream, type StreamListener } from '../../../src/api/stream.ts'
import { connection } from '../../../src/store/connection.ts'
import { clearSession, session, setSession } from '../../../src/store/session.ts'
import { until } from '../../support/until.ts'

interface Line {
  readonly token: string | null
  readonly signal: AbortSignal
  send(bytes: Uint8Array): void
  end(): void
}
let lines: Line[]
let answers: (() => Response | Promise<Response> | undefined)[]
let log: string[]
let stop: () => void

const listener: StreamListener = {
  onOpen: () => log.push('opened'),
  onLost: () => log.push('lost'),
  handlers: {
    devices: ({ devices }) => log.push(`devices ${devices.map(({ bssid }) => bssid).join()}`),
    notifications: ({ notifications }) => log.push(`notifications ${notifications.length}`),
    changed: ({ resources }) => log.push(`changed ${resources.join()}`),
    seen: () => log.push('seen'),
    progress: ({ id, done, failed, total }) => log.push(`progress ${id} ${done}+${failed}/${total}`),
    ping: () => log.push('ping'),
  },
}

/** A line that stays open until the test ends it or the console cuts it. */
function openLine(token: string | null, signal: AbortSignal): Response {
  let to: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      to = controller
      signal.addEventListener('abort', () => controller.error(signal.reason))
    },
  })
  lines.push({
    token,
    signal,
    send: bytes => to.enqueue(bytes),
    end: () => to.close(),
  })
  return new Response(body)
}

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  answers = []
  log = []
  connection.online = true
  setSession({ accessToken: 'old', refreshToken: 'first', userId: '1', userRole: 'admin', login: 'admin' })
  vi.stubGlobal('fetch', async (path: string, options: RequestInit) => {
    const token = new Headers(options.headers).get('access-token')
    if (path.endsWith('/auth/refresh')) {
      const data = { access_token: 'new', refresh_token: 'next', user_id: '1', user_role: 'admin' }
      return new Response(JSON.stringify({ data }))
    }
    if (!path.endsWith('/stream')) throw new Error(path)
    return (await answers.shift()?.()) ?? openLine(token, options.signal!)
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
const broken = () => Promise.reject(new TypeError('Failed to fetch'))
const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

describe('what is heard', () => {
  const text =
    event('ping', {}) +
    'event: devices\ndata: {"devices":[\ndata: {"bssid":"A"},\ndata: {"bssid":"Ä💧"}\ndata: ]}\n\n' +
    ': a comment\n\n' +
    event('of tomorrow', {}) +
    event('notifications', { notifications: [{}, {}] }) +
    event('changed', { resources: ['devices', 'vendors'] }) +
    event('seen', {}) +
    event('progress', { id: 'p', done: 3, failed: 1, total: 9 })
  // Cut between bytes, also within a character.
  const bytes = bytesOf(text)
  const heard = [
    'opened',
    'ping',
    'devices A,Ä💧',
    'notifications 2',
    'changed devices,vendors',
    'seen',
    'progress p 3+1/9',
  ]

  test('law: is the same however the text is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async cuts => {
        log = []
        await start()
        const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length]
        for (const [at, place] of places.entries()) if (at > 0) lines.at(-1)!.send(bytes.slice(places[at - 1], place))
        await vi.advanceTimersByTimeAsync(0)
        expect(log).toEqual(heard)
        stop()
        await vi.advanceTimersByTimeAsync(0)
      }),
      { numRuns: 30 },
    )
  })
})

test('says that it streams while it does, and that it does not once it is stopped', async () => {
  expect(connection.live).toBe('polling')
  await start()
  expect(connection.live).toBe('stream')
  expect(lines).toMatchObject([{ token: 'old' }])
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(connection.live).toBe('polling')
  expect(lines[0]!.signal.aborted).toBe(true)
  expect(lines).toHaveLength(1)
})

test('an expired token is refreshed, and the line opened with the new one', async () => {
  answers = [() => new Response('{}', { status: 401 })]
  await start()
  await until(() => expect(lines).toMatchObject([{ token: 'new' }]))
  expect(session.accessToken).toBe('new')
  expect(log).toEqual(['opened'])
})

test('a line that ends is opened again soon', async () => {
  await start()
  lines[0]!.end()
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.live).toBe('polling')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(connection.live).toBe('stream')
  expect(log).toEqual(['opened', 'opened'])
})

test('attempts that fail become rarer, up to every half minute; the loss is told once', async () => {
  const attempts: number[] = []
  await start()
  answers = Array.from({ length: 12 }, () => () => {
    attempts.push(Date.now())
    return broken()
  })
  lines[0]!.end()
  while (answers.length > 0) await vi.advanceTimersByTimeAsync(1_000)
  const pauses = attempts.slice(1).map((at, index) => at - attempts[index]!)
  for (const [index, pause] of pauses.entries()) {
    const longest = Math.min(1_000 * 2 ** index, 30_000)
    expect(pause).toBeGreaterThanOrEqual(longest / 2)
    expect(pause).toBeLessThanOrEqual(longest + 1)
  }
  expect(pauses).toHaveLength(11)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(log).toEqual(['opened', 'lost', 'opened'])
  expect(connection.live).toBe('stream')
})

test('a server that is reached again by another call is tried at once', async () => {
  answers = Array.from({ length: 6 }, () => broken)
  await start()
  connection.online = false
  await vi.advanceTimersByTimeAsync(30_000)
  answers = []
  const before = lines.length
  connection.online = true
  await vi.advanceTimersByTimeAsync(0)
  expect(lines).toHaveLength(before + 1)
})

test('silence for longer than two pings is the end of a line', async () => {
  await start()
  await vi.advanceTimersByTimeAsync(30_000)
  lines[0]!.send(bytesOf(event('ping', {})))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(lines).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(lines[0]!.signal.aborted).toBe(true)
  expect(lines).toHaveLength(2)
})

describe('a tab out of sight', () => {
  test('opens none until it is seen', async () => {
    setHidden(true)
    await start()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(lines).toHaveLength(0)
    setHidden(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(connection.live).toBe('stream')
  })

  test('keeps it for a moment, then gives it back until it is seen', async () => {
    await start()
    setHidden(true)
    await vi.advanceTimersByTimeAsync(5_000)
    setHidden(false)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(lines).toHaveLength(1)
    expect(lines[0]!.signal.aborted).toBe(false)
    setHidden(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(lines[0]!.signal.aborted).toBe(true)
    expect(lines).toHaveLength(1)
    expect(connection.live).toBe('polling')
    setHidden(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(connection.live).toBe('stream')
  })
})
