/** Guesses at two servers with one database, which count together. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Tokens } from '../../../src/api/contract/auth.ts'
import { knownNetworks, loginFailures } from '../../../server/db/schema/sessions.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { startServer } from '../support/harness.ts'

const server = await startServer()
const servers = [server, await startServer({ beside: server })] as const
const { db, clock, call } = server

/** Signs in at the server whose turn it is. */
let turn = 0
const logIn = (login: string, password: string, remoteAddress: string) =>
  servers[turn++ % 2]!.app.inject({
    method: 'POST',
    url: '/api/v3/auth/login/dashboard',
    payload: { login, password },
    remoteAddress,
  })
const statusOf = async (...attempt: Parameters<typeof logIn>) => (await logIn(...attempt)).statusCode
const tokensOf = async (login: string, address = '192.0.2.200') =>
  (await logIn(login, demoPassword, address)).json<{ data: Tokens }>().data

/** Fails to sign in to many accounts from one address, until that is refused; returns the number of attempts. */
async function tryAccounts(address: string): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++)
    if ((await statusOf(`nobody-${attempt}`, 'a guess', address)) === 429) return attempt
  return 200
}

beforeEach(async () => {
  await db.delete(loginFailures)
  await db.delete(knownNetworks)
})

test('attempts for a login are counted at both servers together', async () => {
  for (let attempt = 0; attempt < 5; attempt++) expect(await statusOf('vendor', 'a guess', '192.0.2.1')).toBe(401)
  expect(await statusOf('vendor', demoPassword, '192.0.2.1')).toBe(429)
  expect(await statusOf('vendor', demoPassword, '192.0.2.2')).toBe(200)
})

test('an address that tries many accounts is refused after thirty failures, others are not', async () => {
  expect(await tryAccounts('192.0.2.1')).toBe(30)
  expect(await statusOf('vendor', demoPassword, '192.0.2.1')).toBe(429)
  expect(await statusOf('vendor', demoPassword, '192.0.2.2')).toBe(200)
  clock.advance(5 * 60_000 + 1000)
  expect(await statusOf('vendor', demoPassword, '192.0.2.1')).toBe(200)
})

test('the addresses of an IPv6 /64 count as one', async () => {
  for (let attempt = 0; attempt < 5; attempt++)
    expect(await statusOf('vendor', 'a guess', `2001:db8:1:2::${attempt}`)).toBe(401)
  expect(await statusOf('vendor', demoPassword, '2001:db8:1:2:ffff::1')).toBe(429)
  expect(await statusOf('vendor', demoPassword, '2001:db8:1:3::1')).toBe(200)
})

describe('in an office with one address', () => {
  const office = '198.51.100.7'

  test('people who signed in there before are not kept out by the failures of a neighbour', async () => {
    await tokensOf('vendor', office)
    expect(await tryAccounts(office)).toBe(30)
    expect(await statusOf('vendor', demoPassword, office)).toBe(200)
    // Their own attempts are limited all the same.
    for (let attempt = 0; attempt < 5; attempt++) expect(await statusOf('vendor', 'a guess', office)).toBe(401)
    expect(await statusOf('vendor', demoPassword, office)).toBe(429)
    expect(await statusOf('admin', demoPassword, office)).toBe(429)
  })

  test('signing in, as many do in the morning, uses up nothing', async () => {
    for (let attempt = 0; attempt < 31; attempt++) {
      await db.delete(knownNetworks)
      expect(await statusOf('vendor2', demoPassword, office)).toBe(200)
    }
  })

  test('signing in to one’s own account does not clear the failures with others', async () => {
    for (let attempt = 0; attempt < 29; attempt++) await statusOf(`nobody-${attempt}`, 'a guess', office)
    expect(await statusOf('vendor', demoPassword, office)).toBe(200)
    expect(await statusOf('nobody', 'a guess', office)).toBe(401)
    expect(await statusOf('nobody', 'a guess', office)).toBe(429)
  })
})

describe('guesses of the current password', () => {
  const guess = (token: string, body: object, at = turn++ % 2) =>
    servers[at]!.call('PATCH', '/api/v3/vendors/me/profile', { token, body })
  const changePassword = (token: string, current_password: string) =>
    call('PATCH', '/api/v3/vendors/me/profile/password', { token, body: { current_password, password: demoPassword } })
  const newLogin = (current_password: string) => ({ login: 'vendor2@example.com', current_password })

  test('are refused after five, in the profile and for the password together', async () => {
    const { access_token: token } = await tokensOf('vendor2')
    for (let attempt = 0; attempt < 3; attempt++) expect((await guess(token, newLogin('a guess'))).statusCode).toBe(400)
    for (let attempt = 0; attempt < 2; attempt++) expect((await changePassword(token, 'a guess')).statusCode).toBe(400)
    const refused = await guess(token, newLogin(demoPassword))
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(290)
    expect((await changePassword(token, demoPassword)).statusCode).toBe(429)
    // What needs no password goes on.
    expect((await guess(token, { first_name: 'Ada' })).statusCode).toBe(200)
  })

  test('in a stolen session do not keep the owner, in another, from changing the password', async () => {
    const { access_token: stolen } = await tokensOf('vendor2')
    for (let attempt = 0; attempt < 6; attempt++) await guess(stolen, newLogin('a guess'))
    const { access_token: own } = await tokensOf('vendor2')
    const answer = await call('PATCH', '/api/v3/vendors/me/profile/password', {
      token: own,
      body: { current_password: demoPassword, password: `${demoPassword}!` },
    })
    expect(answer.statusCode).toBe(200)
    expect((await guess(stolen, { first_name: 'Mallory' })).statusCode).toBe(401)
  })
})

test('an administrator changes the login of a vendor without its password', async () => {
  const admin = await tokensOf('admin')
  const vendor = await tokensOf('vendor3')
  const answer = await call('PATCH', `/api/v3/vendors/${vendor.user_id}`, {
    token: admin.access_token,
    body: { login: 'vendor3@example.com' },
  })
  expect(answer.statusCode).toBe(200)
})
