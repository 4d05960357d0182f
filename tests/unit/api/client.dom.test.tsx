/** The API client on a mocked `fetch`: one token refresh for many calls, progress of bulk calls, and errors. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call } from '../../../src/api/client.ts'
import { reportProgress, type CallProgress } from '../../../src/api/progress.ts'
import { devices } from '../../../src/api/contract/devices.ts'
import { clearSession, session, setSession, signedInRole } from '../../../src/store/session.ts'
import { until } from '../../support/until.ts'

interface Sent {
  path: string
  token: string | null
  progressId: string | null
}
let sent: Sent[]
let refresh: () => Response | Promise<Response>
let valid: string

const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const tokens = { access_token: 'new', refresh_token: 'next', user_id: '1', user_role: 'admin' }
const refreshes = () => sent.filter(({ path }) => path.endsWith('/auth/refresh'))

beforeEach(() => {
  sent = []
  valid = 'new'
  refresh = () => answer(200, { data: tokens })
  setSession({ accessToken: 'old', refreshToken: 'first', userId: '1', userRole: 'admin', login: 'admin' })
  vi.stubGlobal('fetch', async (path: string, options: RequestInit) => {
    const headers = new Headers(options.headers)
    const token = headers.get('access-token')
    sent.push({ path, token, progressId: headers.get('progress-id') })
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

  test('a refused refresh clears the session, and no call is retried', async () => {
    refresh = () => answer(401, { message: 'The session has ended, please sign in again' })
    const results = await listTenPages()
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(refreshes()).toHaveLength(1)
    expect(sent).toHaveLength(11)
    expect(signedInRole()).toBeUndefined()
  })

  test.each([
    ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['returns 503', () => answer(503, { message: 'Busy' })],
  ])('a refresh that %s keeps the session, and the next call refreshes again', async (_, broken) => {
    refresh = broken
    await listTenPages()
    expect(refreshes()).toHaveLength(1)
    expect(signedInRole()).toBe('admin')
    refresh = () => answer(200, { data: tokens })
    await expect(listAt(0)).resolves.toEqual({ count: 0, data: [] })
    expect(refreshes()).toHaveLength(2)
  })
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

describe('a bulk call', () => {
  test('has a progress id, which a retry keeps', async () => {
    const ended: CallProgress[] = []
    const body = { ids: ['A4:1C:09:7E:33:0B'] }
    await Promise.all([
      call(devices.flush, { body, onProgress: ids => ended.push(ids) }),
      call(devices.flush, { body, onProgress: () => ended.push({ done: -1, failed: 0 }) }),
    ])
    const ids = sent.flatMap(({ progressId }) => progressId ?? [])
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(2)
    // The calls have ended, so their progress is ignored.
    for (const id of ids) reportProgress(id, { done: 7, failed: 0 })
    expect(ended).toEqual([])
  })

  test('receives its own progress and not that of other calls', async () => {
    valid = 'old'
    const ended: CallProgress[] = []
    let answered: (answer: Response) => void = () => undefined
    vi.stubGlobal('fetch', (path: string, options: RequestInit) => {
      sent.push({ path, token: null, progressId: new Headers(options.headers).get('progress-id') })
      return new Promise(resolve => {
        answered = resolve
      })
    })
    const called = call(devices.flush, { body: { ids: ['A4:1C:09:7E:33:0B'] }, onProgress: ids => ended.push(ids) })
    await until(() => expect(sent).toHaveLength(1))
    reportProgress(sent[0]!.progressId!, { done: 3, failed: 0 })
    reportProgress('another', { done: 5, failed: 0 })
    reportProgress(sent[0]!.progressId!, { done: 3, failed: 1 })
    answered(answer(200, { data: { count: 1, total: 1, failed: [] } }))
    await called
    reportProgress(sent[0]!.progressId!, { done: 9, failed: 0 })
    expect(ended).toEqual([
      { done: 3, failed: 0 },
      { done: 3, failed: 1 },
    ])
  })

  test('has no progress id without a progress callback', async () => {
    valid = 'old'
    await call(devices.flush, { body: { ids: ['A4:1C:09:7E:33:0B'] } })
    expect(sent).toMatchObject([{ progressId: null }])
  })
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
