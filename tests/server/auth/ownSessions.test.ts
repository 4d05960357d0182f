/** The list of one's own sessions, and ending them. */
import { expect, test } from 'vitest'
import type { Tokens } from '../../../src/api/contract/auth.ts'
import type { OwnSession } from '../../../src/api/contract/ownSessions.ts'
import { deviceName } from '../../../server/auth/deviceName.ts'
import { hashPassword } from '../../../server/auth/passwords.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { until } from '../../support/until.ts'
import { startServer } from '../support/harness.ts'
import { newAccount } from '../support/subjects.ts'

const { app, db, clock, call } = await startServer()
const password_hash = await hashPassword(demoPassword)

const path = '/api/v3/auth/sessions'
const agents = {
  firefox: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
}

async function signIn(login: string, userAgent: string, remoteAddress: string): Promise<Tokens> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v3/auth/login/dashboard',
    payload: { login, password: demoPassword },
    headers: { 'user-agent': userAgent },
    remoteAddress,
  })
  return answer.json<{ data: Tokens }>().data
}
const listOf = async (token: string) =>
  (await call('GET', path, { token, headers: { 'user-agent': agents.firefox } })).json<{
    data: { sessions: OwnSession[] }
  }>().data.sessions

async function vendor() {
  const id = await newAccount(db, 'vendor', { password_hash })
  return `${id}@example.com`
}

test.each([
  ['', 'Unknown device'],
  [agents.firefox, 'Firefox on Windows'],
  [agents.iphone, 'Safari on iPhone'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'Chrome on macOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
    'Microsoft Edge on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
  ['curl/8.5.0', 'curl'],
  ['<script>alert(1)</script>', 'Unknown program'],
])('%s is called %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})

test('sessions are listed with device, address and time, the current one first', async () => {
  const login = await vendor()
  const phone = await signIn(login, agents.iphone, '192.0.2.1')
  clock.advance(60_000)
  const desk = await signIn(login, agents.firefox, '192.0.2.2')
  clock.advance(10_000)
  const listed = await listOf(phone.access_token)
  expect(listed.map(({ device, address, current }) => ({ device, address, current }))).toEqual([
    { device: 'Safari on iPhone', address: '192.0.2.1', current: true },
    { device: 'Firefox on Windows', address: '192.0.2.2', current: false },
  ])
  // A session is seen again by its calls, without delaying them.
  clock.advance(60_000)
  const now = clock.now().getTime()
  await call('GET', path, { token: desk.access_token, headers: { 'user-agent': agents.firefox } })
  await until(async () => {
    const [own] = await listOf(desk.access_token)
    expect(own!.address).toBe('127.0.0.1')
    expect(Date.parse(own!.seen_at)).toBeGreaterThanOrEqual(now)
  })
})

test('one session is ended, or all others; those of other accounts do not exist', async () => {
  const [login, stranger] = [await vendor(), await vendor()]
  const sessions: Tokens[] = []
  for (let index = 0; index < 4; index++) sessions.push(await signIn(login, agents.firefox, `192.0.2.${index}`))
  const token = sessions[0]!.access_token
  const foreign = await signIn(stranger, agents.firefox, '192.0.2.9')
  const idOf = async ({ access_token }: Tokens) => (await listOf(access_token)).find(({ current }) => current)!._id
  const end = async (id: string, as = token) => (await call('DELETE', `${path}/${id}`, { token: as })).statusCode

  const unknown = await call('DELETE', `${path}/unknown`, { token })
  const others = await call('DELETE', `${path}/${await idOf(foreign)}`, { token })
  expect([unknown.statusCode, others.statusCode]).toEqual([404, 404])
  expect(others.body).toBe(unknown.body)
  expect(await listOf(foreign.access_token)).toHaveLength(1)

  const ended = sessions[1]!
  expect(await end(await idOf(ended))).toBe(200)
  expect((await call('GET', path, { token: ended.access_token })).statusCode).toBe(401)
  const headers = { 'refresh-token': ended.refresh_token }
  expect((await call('POST', '/api/v3/auth/refresh', { headers })).statusCode).toBe(401)
  expect(await listOf(token)).toHaveLength(3)

  expect((await call('DELETE', path, { token })).json()).toEqual({ data: { count: 2 } })
  expect((await call('GET', path, { token: sessions[3]!.access_token })).statusCode).toBe(401)
  expect(await listOf(token)).toHaveLength(1)
  expect(await listOf(foreign.access_token)).toHaveLength(1)
})
