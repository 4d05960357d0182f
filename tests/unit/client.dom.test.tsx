/** The single refresh and its queue, on a server made of functions. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call } from '../../src/api/client.ts'
import { devices } from '../../src/api/contract/devices.ts'
import { clearSession, session, setSession, signedInRole } from '../../src/store/session.ts'

interface Sent {
  path: string
  token: string | null
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
    const token = new Headers(options.headers).get('access-token')
    sent.push({ path, token })
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

const ask = (offset: number) => call(devices.list, { query: { offset } })
const askTen = () => Promise.allSettled(Array.from({ length: 10 }, (_, at) => ask(at)))

describe('ten calls whose token has expired', () => {
  test('start one refresh, and each is sent again with the new token', async () => {
    const results = await askTen()
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'fulfilled'))
    expect(refreshes()).toHaveLength(1)
    expect(sent.filter(({ token }) => token === 'old')).toHaveLength(10)
    expect(sent.filter(({ token }) => token === 'new')).toHaveLength(10)
    expect({ ...session }).toMatchObject({ accessToken: 'new', refreshToken: 'next', login: 'admin' })
  })

  test('a refresh that is refused clears the session, and none is sent again', async () => {
    refresh = () => answer(401, { message: 'The session has ended, please sign in again' })
    const results = await askTen()
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(refreshes()).toHaveLength(1)
    expect(sent).toHaveLength(11)
    expect(signedInRole()).toBeUndefined()
  })

  test.each([
    ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['is answered 503', () => answer(503, { message: 'Busy' })],
  ])('a refresh that %s keeps the session for another try', async (_, broken) => {
    refresh = broken
    await askTen()
    expect(refreshes()).toHaveLength(1)
    expect(signedInRole()).toBe('admin')
    refresh = () => answer(200, { data: tokens })
    await expect(ask(0)).resolves.toEqual({ count: 0, data: [] })
    expect(refreshes()).toHaveLength(2)
  })
})

test('a call that comes back late, after the refresh, uses what it brought', async () => {
  await ask(0)
  expect(refreshes()).toHaveLength(1)
  await ask(1)
  expect(refreshes()).toHaveLength(1)
  expect(sent.at(-1)).toMatchObject({ token: 'new' })
})

test('a token that is refused again is not refreshed for ever', async () => {
  valid = 'none'
  await expect(ask(0)).rejects.toMatchObject({ status: 401 })
  expect(refreshes()).toHaveLength(1)
})

test('signed in means both tokens, the id and the role', () => {
  expect(signedInRole()).toBe('admin')
  for (const missing of ['accessToken', 'refreshToken', 'userId', 'userRole'] as const)
    expect(signedInRole({ ...session, [missing]: null }), missing).toBeUndefined()
})

describe('errors', () => {
  const failing = async (status: number, body: unknown) => {
    vi.stubGlobal('fetch', () => Promise.resolve(answer(status, body)))
    return ask(0).catch((error: unknown) => error)
  }
  test('carry the message as it came, and a list joined with commas', async () => {
    expect(await failing(400, { message: 'No' })).toMatchObject({ status: 400, message: 'No', raw: 'No' })
    expect(await failing(400, { message: ['A', 'B'] })).toMatchObject({ message: 'A, B', raw: ['A', 'B'] })
    expect(await failing(502, '<html>')).toMatchObject({ message: 'The server answered 502' })
  })
  test('tell what is out of reach from what is refused', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(ask(0)).rejects.toMatchObject({ status: 0, message: 'The server cannot be reached' })
  })
})
