/** The API client on a mocked `fetch`: one token refresh for many calls, and errors. */
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { call, loadRefresh } from '../../../src/api/client.ts'
import { devices } from '../../../src/api/contract/devices.ts'
import { connection } from '../../../src/store/connection.ts'
import { clearSession, session, setSession, signedInRole } from '../../../src/store/session.ts'
import { until } from '../../support/until.ts'

interface Sent {
  path: string
  token: string | null
  key?: string | null
}
let sent: Sent[]
let refresh: () => Response | Promise<Response>
let valid: string

const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const tokens = { access_token: 'new', refresh_token: 'next', user_id: '1', user_role: 'admin' }
const refreshes = () => sent.filter(({ path }) => path.endsWith('/auth/refresh'))

beforeAll(loadRefresh)
beforeEach(() => {
  sent = []
  valid = 'new'
  connection.online = true
  refresh = () => answer(200, { data: tokens })
  setSession({ accessToken: 'old', refreshToken: 'first', userId: '1', userRole: 'admin', login: 'admin' })
  vi.stubGlobal('fetch', async (path: string, options: RequestInit) => {
    const headers = new Headers(options.headers)
    const token = headers.get('access-token')
    sent.push({ path, token, key: headers.get('idempotency-key') })
    await Promise.resolve()
    if (path.endsWith('/auth/refresh')) return refresh()
    return token === valid
      ? answer(200, { data: { count: 0, data: [] } })
      : answer(401, { message: 'The access token is not valid' })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
})

const listAt = (offset: number) => call(devices.list, { query: { offset } })
const listTenPages = () => Promise.allSettled(Array.from({ length: 10 }, (_, at) => listAt(at)))

describe('ten calls whose token has expired', () => {
  test('cause one refresh, and each is retried with the new token', async () => {
    const results = await listTenPages()
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'fulfilled'))
    expect(refreshes()).toHaveLength(1)
    expect(sent.filter(({ token }) => token === 'old')).toHaveLength(10)
    expect(sent.filter(({ token }) => token === 'new')).toHaveLength(10)
    expect({ ...session }).toMatchObject({ accessToken: 'new', refreshToken: 'next', login: 'admin' })
  })

  test.each([
    [401, { message: 'This account is blocked' }, 'This account is blocked'],
    [429, { message: 'Too many' }, 'The session has ended. Sign in again'],
    [500, { message: 'Broken' }, 'The session has ended. Sign in again'],
    [503, 'Busy', 'The session has ended. Sign in again'],
    [200, {}, 'The session has ended. Sign in again'],
  ])('a refresh answered with %i clears the session, and no call is retried', async (status, body, message) => {
    refresh = () => answer(status, body)
    const results = await listTenPages()
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { status: 401, message } })
    expect(refreshes()).toHaveLength(1)
    expect(sent).toHaveLength(11)
    expect(signedInRole()).toBeUndefined()
    expect(connection.live).toBe('polling')
    expect(connection.sessionEnded).toBe(true)
  })
})

describe('a refresh without an answer', () => {
  const noAnswer = () => Promise.reject(new TypeError('Failed to fetch'))
  beforeEach(() => {
    vi.useFakeTimers()
    refresh = noAnswer
  })
  afterEach(async () => {
    clearSession()
    await vi.advanceTimersByTimeAsync(0)
    vi.useRealTimers()
  })

  test('rejects the waiting calls, keeps the session, and the console is offline', async () => {
    const results = await listTenPages()
    for (const result of results)
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { status: 0, message: 'The server cannot be reached' },
      })
    expect(refreshes()).toHaveLength(1)
    expect(signedInRole()).toBe('admin')
    expect(connection.live).toBe('offline')
  })

  test('is tried again after growing pauses of up to 30 seconds, however many calls are made', async () => {
    const attempts: number[] = []
    refresh = () => {
      attempts.push(Date.now())
      return noAnswer()
    }
    while (attempts.length < 6) {
      void listAt(0).catch(() => undefined)
      await vi.advanceTimersByTimeAsync(500)
      expect(connection.live).toBe('offline')
    }
    const pauses = attempts.slice(1).map((at, index) => at - attempts[index]!)
    for (const [index, pause] of pauses.entries()) {
      const maxPause = Math.min(4_000 * 2 ** index, 30_000)
      expect(pause).toBeGreaterThanOrEqual(maxPause / 2)
      expect(pause).toBeLessThanOrEqual(maxPause + 1)
    }
  })

  test('calls made during a pause wait for the next attempt, and are retried once it is answered', async () => {
    await listTenPages()
    const waiting = listTenPages()
    refresh = () => answer(200, { data: tokens })
    await vi.advanceTimersByTimeAsync(4_000)
    for (const result of await waiting) expect(result).toMatchObject({ status: 'fulfilled' })
    expect(refreshes()).toHaveLength(2)
    expect(session.accessToken).toBe('new')
    expect(connection.live).toBe('polling')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(refreshes()).toHaveLength(2)
  })

  test('clears the session at the first failure, also if no call waits', async () => {
    await listTenPages()
    refresh = () => answer(500, {})
    await vi.advanceTimersByTimeAsync(4_000)
    expect(signedInRole()).toBeUndefined()
    expect(connection.live).toBe('polling')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(refreshes()).toHaveLength(2)
  })

  test('is tried again at once when the network is back', async () => {
    await listTenPages()
    refresh = () => answer(200, { data: tokens })
    window.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    expect(session.accessToken).toBe('new')
  })

  test('ends with the session, and rejects the waiting calls', async () => {
    await listTenPages()
    const waiting = listTenPages()
    await vi.advanceTimersByTimeAsync(0)
    clearSession()
    await vi.advanceTimersByTimeAsync(60_000)
    for (const result of await waiting) expect(result).toMatchObject({ status: 'rejected', reason: { status: 401 } })
    expect(refreshes()).toHaveLength(1)
    expect(connection.live).toBe('polling')
  })

  test('a waiting call that is aborted is rejected at once', async () => {
    await listTenPages()
    const aborted = new AbortController()
    const waiting = call(devices.list, { signal: aborted.signal })
    await vi.advanceTimersByTimeAsync(0)
    aborted.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('counts as unanswered after five seconds', async () => {
    const timeout = new AbortController()
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
    refresh = () =>
      new Promise((_, reject) => {
        timeout.signal.addEventListener('abort', () => reject(new DOMException('Too late', 'TimeoutError')))
      })
    const waiting = listTenPages()
    await vi.advanceTimersByTimeAsync(0)
    expect(limit).toHaveBeenCalledExactlyOnceWith(5_000)
    timeout.abort()
    for (const result of await waiting) expect(result).toMatchObject({ status: 'rejected', reason: { status: 0 } })
    limit.mockRestore()
  })
})

test('after another person has signed in, a waiting call is not retried with their session', async () => {
  let answerRefresh: (response: Response) => void = () => undefined
  refresh = () =>
    new Promise(resolve => {
      answerRefresh = resolve
    })
  const waiting = listAt(0)
  await until(() => expect(refreshes()).toHaveLength(1))
  setSession({ accessToken: 'theirs', refreshToken: 'other', userId: '2', userRole: 'vendor', login: 'vendor' })
  answerRefresh(answer(200, { data: tokens }))
  await expect(waiting).rejects.toMatchObject({ status: 401 })
  expect({ ...session }).toMatchObject({ accessToken: 'theirs', userId: '2' })
  expect(sent.filter(({ token }) => token === 'theirs')).toEqual([])
})

test('a call after the refresh uses the new token without another refresh', async () => {
  await listAt(0)
  expect(refreshes()).toHaveLength(1)
  await listAt(1)
  expect(refreshes()).toHaveLength(1)
  expect(sent.at(-1)).toMatchObject({ token: 'new' })
})

test('a call that is refused again after the refresh fails without a second refresh', async () => {
  valid = 'none'
  await expect(listAt(0)).rejects.toMatchObject({ status: 401 })
  expect(refreshes()).toHaveLength(1)
})

test('a change has one idempotency key for all its attempts and another one than other changes; a read has none', async () => {
  const flush = () => call(devices.flush, { body: { ids: ['A4:1C:09:7E:33:0B'] } })
  await flush()
  await flush()
  await listAt(0)
  const flushes = sent.filter(({ path }) => path.endsWith('/flush')).map(({ token, key }) => [token, key])
  const [first, second] = [flushes[0]?.[1], flushes[2]?.[1]]
  expect(flushes).toEqual([
    ['old', first],
    ['new', first],
    ['new', second],
  ])
  expect(first).toMatch(/^\w+$/)
  expect(second).not.toBe(first)
  expect(sent.at(-1)).toMatchObject({ key: null })
})

test('a session is signed in only with both tokens, the user id and the role', () => {
  expect(signedInRole()).toBe('admin')
  for (const missing of ['accessToken', 'refreshToken', 'userId', 'userRole'] as const)
    expect(signedInRole({ ...session, [missing]: null }), missing).toBeUndefined()
})

describe('errors', () => {
  const failing = async (status: number, body: unknown) => {
    vi.stubGlobal('fetch', () => Promise.resolve(answer(status, body)))
    return listAt(0).catch((error: unknown) => error)
  }
  test('have the server’s message, and a list of messages joined with commas', async () => {
    expect(await failing(400, { message: 'No' })).toMatchObject({ status: 400, message: 'No', raw: 'No' })
    expect(await failing(400, { message: ['A', 'B'] })).toMatchObject({ message: 'A, B', raw: ['A', 'B'] })
    expect(await failing(502, '<html>')).toMatchObject({ message: 'The server answered 502' })
  })
  test('have status 0 if the server cannot be reached', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(listAt(0)).rejects.toMatchObject({ status: 0, message: 'The server cannot be reached' })
  })
})
