/** The second factor: codes by RFC 6238, setting up, signing in, recovery codes, turning off, and the setting that requires it. */
import { readFileSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { Secret } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Tokens } from '../../../src/api/contract/auth.ts'
import { stepOfCode } from '../../../server/auth/authenticator.ts'
import { ConfigError } from '../../../server/core/config.ts'
import { openSecrets } from '../../../server/core/secrets.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { audit } from '../../../server/db/schema/audit.ts'
import { recoveryCodes, secondFactors } from '../../../server/db/schema/secondFactors.ts'
import { loginFailures, sessions } from '../../../server/db/schema/sessions.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { authenticatorsAt } from '../support/accounts/authenticators.ts'
import { startServer, temporaryFolder } from '../support/harness.ts'
import { runScript } from '../support/processes/runScript.ts'
import { dataOf, password, signInsAt, type Subject } from '../support/accounts/signIns.ts'

const server = await startServer()
/** A server of the same database that requires a second factor of administrators, with the same key. */
const keyFile = join(server.dataDir, 'secrets.key')
const strict = await startServer({
  beside: server,
  environment: { REQUIRE_SECOND_FACTOR: 'administrators', SECRETS_KEY: readFileSync(keyFile, 'utf8').trim() },
})
const { db, clock, call } = server
const { account, logIn, tokenOf, ticketOf, enterCode: enter } = signInsAt(server)

const path = '/api/v3/auth/second-factor'
const { codeOf, setUp, withFactor } = authenticatorsAt(server)

beforeEach(() => db.delete(loginFailures).then(() => undefined))

/** RFC 6238, appendix B: the codes for SHA-1. A code of six digits is the last six of one of eight. */
test.each([
  ['1970-01-01T00:00:59Z', '94287082'],
  ['2005-03-18T01:58:29Z', '07081804'],
  ['2005-03-18T01:58:31Z', '14050471'],
  ['2009-02-13T23:31:30Z', '89005924'],
  ['2033-05-18T03:33:20Z', '69279037'],
  ['2603-10-11T11:33:20Z', '65353130'],
])('at %s the code of RFC 6238 is %s', (time, code) => {
  const key = Secret.fromLatin1('12345678901234567890').base32
  const step = Math.floor(Date.parse(time) / 30_000)
  const at = (steps: number) => stepOfCode(key, code.slice(-6), new Date(Date.parse(time) + steps * 30_000))
  expect([at(-1), at(0), at(1)]).toEqual([step, step, step])
  expect([at(-2), at(2)]).toEqual([undefined, undefined])
})

describe('setting up', () => {
  test('takes the password, then the first code, and ends the other sessions', async () => {
    const subject = await account()
    const [token, other] = [await tokenOf(subject), await tokenOf(subject)]
    const status = async () => dataOf(await call('GET', path, { token }))
    expect(await status()).toEqual({ enabled: false, authenticator: false, required: false, recovery_codes: 0 })
    const wrong = await call('POST', path, { token, body: { current_password: 'a guess' } })
    expect(wrong.json()).toEqual({ message: 'Current password is wrong' })
    expect((await call('POST', `${path}/confirm`, { token, body: { code: '123456' } })).statusCode).toBe(409)

    const { key, uri } = dataOf<{ key: string; uri: string }>(await call('POST', path, { token, body: password }))
    expect(uri).toBe(
      `otpauth://totp/Permeate:${encodeURIComponent(subject.login)}?issuer=Permeate&secret=${key}&algorithm=SHA1&digits=6&period=30`,
    )
    // Until the first code is confirmed, it does not count.
    expect(await status()).toMatchObject({ enabled: false })
    expect(await tokenOf(subject)).toBeTruthy()
    const refused = await call('POST', `${path}/confirm`, { token, body: { code: codeOf(key, 5) } })
    expect(refused.json()).toEqual({ message: 'The code is wrong' })
    const confirmed = await call('POST', `${path}/confirm`, { token, body: { code: codeOf(key) } })
    const { recovery_codes } = dataOf<{ recovery_codes: string[] }>(confirmed)
    expect(new Set(recovery_codes).size).toBe(10)
    for (const code of recovery_codes) expect(code).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/)
    expect(await status()).toEqual({ enabled: true, authenticator: true, required: false, recovery_codes: 10 })
    expect((await call('GET', path, { token: other })).statusCode).toBe(401)
    const another = { ...password, code: recovery_codes[0] }
    expect((await call('POST', path, { token, body: password })).statusCode).toBe(400)
    expect((await call('POST', path, { token, body: another })).statusCode).toBe(409)
  })

  test('stores the key encrypted, the recovery codes hashed, and neither in the history', async () => {
    const { subject, key, recovery_codes } = await withFactor()
    const [stored] = await db.select().from(secondFactors).where(eq(secondFactors.account_id, subject.id))
    const everything = JSON.stringify([stored, await db.select().from(recoveryCodes), await db.select().from(audit)])
    for (const secret of [key, ...recovery_codes, ...recovery_codes.map(code => code.replaceAll('-', ''))])
      expect(everything).not.toContain(secret)
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    // A key of one account is useless in the row of another.
    const other = await withFactor()
    await db.update(secondFactors).set({ key: stored!.key }).where(eq(secondFactors.account_id, other.subject.id))
    expect((await enter(await ticketOf(other.subject), codeOf(key))).statusCode).toBe(500)
  })
})

describe('signing in', () => {
  test('takes a code after the password, and each code once', async () => {
    const { subject, key } = await withFactor()
    const first = await logIn(subject)
    expect(Object.keys(first.json<{ data: object }>().data)).toEqual(['login_ticket'])
    const { login_ticket: ticket } = first.json<{ data: { login_ticket: string } }>().data
    expect((await call('GET', path, { token: ticket })).statusCode).toBe(401)
    const wrong = await enter(ticket, codeOf(key, 5))
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json()).toEqual({ message: 'The code is wrong' })
    const code = codeOf(key)
    const tokens = dataOf<Tokens>(await enter(ticket, ` ${code.slice(0, 3)} ${code.slice(3)} `))
    expect(tokens).toMatchObject({ user_id: subject.id, user_role: 'admin' })
    expect((await call('GET', path, { token: tokens.access_token })).statusCode).toBe(200)
    // The ticket is used up, and so is the code.
    const again = await enter(ticket, codeOf(key, 1))
    expect(again.statusCode).toBe(401)
    expect(again.json()).toEqual({ message: 'This sign-in has expired, please sign in again' })
    expect((await enter(await ticketOf(subject), code)).statusCode).toBe(400)
    expect((await enter(await ticketOf(subject), codeOf(key, -1))).statusCode).toBe(400)
    expect((await enter(await ticketOf(subject), codeOf(key, 1))).statusCode).toBe(200)
  })

  test('accepts a code once, also at two servers at the same time', async () => {
    const { subject, key } = await withFactor()
    const tickets = await Promise.all(Array.from({ length: 4 }, () => ticketOf(subject)))
    const code = codeOf(key)
    const answers = await Promise.all(
      tickets.map((ticket, index) =>
        [server, strict][index % 2]!.call('POST', '/api/v3/auth/login/code', {
          headers: { 'login-ticket': ticket },
          body: { code },
        }),
      ),
    )
    expect(answers.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual(['200', '400', '400', '400'])
  })

  test('with a wrong password is the same for accounts with and without one', async () => {
    const [{ subject }, without] = [await withFactor(), await account()]
    const answers = [await logIn(subject, server, 'a guess'), await logIn(without, server, 'a guess')]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401])
    expect(answers[0]!.body).toBe(answers[1]!.body)
    expect(Object.keys(answers[0]!.headers)).toEqual(Object.keys(answers[1]!.headers))
  })

  test('takes a recovery code instead, once', async () => {
    const { subject, recovery_codes } = await withFactor()
    const [one = '', two = ''] = recovery_codes
    const tokens = dataOf<Tokens>(await enter(await ticketOf(subject), one.toUpperCase().replaceAll('-', ' ')))
    expect(dataOf(await call('GET', path, { token: tokens.access_token }))).toMatchObject({ recovery_codes: 9 })
    expect((await enter(await ticketOf(subject), one)).statusCode).toBe(400)
    expect((await enter(await ticketOf(subject), two)).statusCode).toBe(200)
    // Another account's recovery code is worth nothing.
    const other = await withFactor()
    expect((await enter(await ticketOf(other.subject), recovery_codes[2]!)).statusCode).toBe(400)
  })

  test('ends after five minutes, a new password, or when the account is blocked', async () => {
    const { subject, key } = await withFactor()
    const late = await ticketOf(subject)
    clock.advance(5 * 60_000 + 1000)
    expect((await enter(late, codeOf(key))).statusCode).toBe(401)
    const superadmin = await tokenOf(await account('superadmin'))
    const changed = await ticketOf(subject)
    await call('PATCH', `/api/v3/admins/${subject.id}/change-password`, {
      token: superadmin,
      body: { password: demoPassword },
    })
    expect((await enter(changed, codeOf(key))).statusCode).toBe(401)
    const blocked = await ticketOf(subject)
    await call('PATCH', `/api/v3/admins/${subject.id}/change-status`, { token: superadmin, body: { status: true } })
    expect((await enter(blocked, codeOf(key))).statusCode).toBe(401)
  })

  test('is throttled by the account: five wrong codes from an address, ten from all', async () => {
    const { subject, key, recovery_codes } = await withFactor()
    const ticket = await ticketOf(subject)
    const from = (remoteAddress: string, code: string) =>
      server.app.inject({
        method: 'POST',
        url: '/api/v3/auth/login/code',
        headers: { 'login-ticket': ticket },
        payload: { code },
        remoteAddress,
      })
    for (let attempt = 0; attempt < 5; attempt++) expect((await from('192.0.2.1', codeOf(key, 5))).statusCode).toBe(400)
    expect((await from('192.0.2.1', codeOf(key))).statusCode).toBe(429)
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await from(`192.0.2.${attempt + 2}`, codeOf(key, 5))).statusCode).toBe(400)
    const refused = await from('192.0.2.9', codeOf(key))
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
    // The owner, elsewhere, still signs in with a recovery code.
    expect((await from('192.0.2.9', recovery_codes[0]!)).statusCode).toBe(200)
  })
})

test('the history has a sign-in once its session is made, with the factor used, and failures as refused', async () => {
  const { subject, key, recovery_codes } = await withFactor()
  const admin = await tokenOf(await account())
  await enter(await ticketOf(subject), codeOf(key, 5))
  dataOf(await enter(await ticketOf(subject), codeOf(key)))
  dataOf(await enter(await ticketOf(subject), recovery_codes[0]!))
  const url = `/api/v3/audit?column=login&operator=eq&search=${encodeURIComponent(subject.login)}&sort=at&direction=asc`
  const { data } = dataOf<{ data: { title: string; outcome: string }[] }>(await call('GET', url, { token: admin }))
  expect(data.map(({ title, outcome }) => `${title}: ${outcome}`)).toEqual([
    'Signed in with password: done',
    'Started setting up second factor: done',
    'Turned on second factor: done',
    'Entered password before second factor: done',
    'Signed in with authenticator code: refused',
    'Entered password before second factor: done',
    'Signed in with authenticator code: done',
    'Entered password before second factor: done',
    'Signed in with recovery code: done',
  ])
  const searched = await call('GET', '/api/v3/audit?column=action&operator=co&search=with%20recovery%20code', {
    token: admin,
  })
  expect(dataOf<{ data: { login: string }[] }>(searched).data[0]?.login).toBe(subject.login)
})

describe('with password and code', () => {
  test('recovery codes are made anew, and the second factor is turned off', async () => {
    const { subject, token, key, recovery_codes } = await withFactor('vendor')
    const renew = (body: object) => call('POST', `${path}/recovery-codes`, { token, body })
    const disable = (body: object) => call('DELETE', path, { token, body })
    expect((await renew({ current_password: 'a guess', code: codeOf(key) })).statusCode).toBe(400)
    expect((await renew({ ...password, code: codeOf(key, 5) })).statusCode).toBe(400)
    const renewed = dataOf<{ recovery_codes: string[] }>(await renew({ ...password, code: codeOf(key) }))
    expect(renewed.recovery_codes).toHaveLength(10)
    expect((await disable({ ...password, code: recovery_codes[0]! })).statusCode).toBe(400)
    expect((await disable({ ...password, code: codeOf(key) })).statusCode).toBe(400)
    expect((await disable({ current_password: 'a guess', code: codeOf(key, 1) })).statusCode).toBe(400)
    expect((await disable({ ...password, code: codeOf(key, 1) })).json()).toEqual({ data: {} })
    expect(await tokenOf(subject)).toBeTruthy()
    expect((await disable({ ...password, code: '123456' })).statusCode).toBe(409)
    expect(await db.$count(recoveryCodes, eq(recoveryCodes.account_id, subject.id))).toBe(0)
  })
})

describe('another’s second factor', () => {
  test('is reset by who manages the account, which ends its sessions', async () => {
    const superadmin = await tokenOf(await account('superadmin'))
    const admin = await tokenOf(await account())
    const [lostAdmin, lostVendor] = [await withFactor('admin'), await withFactor('vendor')]
    const reset = async (kind: string, { id }: Subject, token: string) =>
      (await call('DELETE', `/api/v3/${kind}/${id}/second-factor`, { token })).statusCode
    expect(await reset('admins', lostAdmin.subject, admin)).toBe(403)
    expect(await reset('vendors', lostVendor.subject, superadmin)).toBe(403)
    expect(await reset('vendors', lostVendor.subject, lostVendor.token)).toBe(403)
    expect(await reset('vendors', lostAdmin.subject, admin)).toBe(404)
    expect(await reset('admins', lostAdmin.subject, superadmin)).toBe(200)
    expect(await reset('vendors', lostVendor.subject, admin)).toBe(200)
    expect(await reset('vendors', lostVendor.subject, admin)).toBe(409)
    for (const { subject, token } of [lostAdmin, lostVendor]) {
      expect((await call('GET', path, { token })).statusCode).toBe(401)
      expect(await tokenOf(subject)).toBeTruthy()
    }
  })
})

describe('where it is required', () => {
  const anyCall = (token: string) => strict.call('GET', '/api/v3/auth/sessions', { token })

  test('an account without one can only set it up', async () => {
    const subject = await account()
    const tokens = dataOf<Tokens>(await logIn(subject, strict))
    expect(tokens.second_factor_required).toBe(true)
    const token = tokens.access_token
    const refused = await anyCall(token)
    expect(refused.statusCode).toBe(401)
    expect(refused.json()).toEqual({ message: 'This account needs a second factor: please sign in and set it up' })
    for (const url of ['/api/v3/devices', '/api/v3/admins/me/profile', '/api/v3/stream'])
      expect((await strict.call('GET', url, { token })).statusCode).toBe(401)
    expect(dataOf(await strict.call('GET', path, { token }))).toMatchObject({ enabled: false, required: true })
    await setUp(token, strict)
    expect((await anyCall(token)).statusCode).toBe(200)
    expect((await strict.call('GET', '/api/v3/devices', { token })).statusCode).toBe(200)
  })

  test('a session from before the setting is not renewed', async () => {
    const subject = await account()
    const tokens = dataOf<Tokens>(await logIn(subject))
    const headers = { 'refresh-token': tokens.refresh_token }
    expect((await strict.call('POST', '/api/v3/auth/refresh', { headers })).statusCode).toBe(401)
    expect(await db.$count(sessions, eq(sessions.account_id, subject.id))).toBe(0)
  })

  test('it cannot be turned off', async () => {
    const { token, key } = await withFactor('admin')
    const off = await strict.call('DELETE', path, { token, body: { ...password, code: codeOf(key) } })
    expect([off.statusCode, off.json()]).toEqual([
      409,
      { message: 'Your account needs a second factor, so it cannot be turned off' },
    ])
    expect(dataOf(await strict.call('GET', path, { token }))).toMatchObject({ enabled: true })
  })

  test('vendors, of whom it is not required, go on without', async () => {
    const token = await tokenOf(await account('vendor'), strict)
    expect((await anyCall(token)).statusCode).toBe(200)
  })

  test('a superadmin sets it up too', async () => {
    const subject = await account('superadmin')
    const token = await tokenOf(subject, strict)
    expect((await strict.call('GET', '/api/v3/admins', { token })).statusCode).toBe(401)
    await setUp(token, strict)
    expect((await strict.call('GET', '/api/v3/admins', { token })).statusCode).toBe(200)
  })
})

describe('a server with another key', () => {
  const config = { dataDir: server.dataDir, databaseUrl: undefined, secretsKey: undefined }

  test('cannot read the codes, says so, and accepts recovery codes', async () => {
    const { subject, key, recovery_codes } = await withFactor()
    await db.update(secondFactors).set({ key_id: 'another' }).where(eq(secondFactors.account_id, subject.id))
    const answer = await enter(await ticketOf(subject), codeOf(key))
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toEqual({
      message: 'This server has another SECRETS_KEY than the one that stored the second factor',
    })
    expect((await enter(await ticketOf(subject), recovery_codes[0]!)).statusCode).toBe(200)
  })

  test('has the key of its data folder again after a restart, and none with a database of several servers', () => {
    const [one, two] = [openSecrets(config)!, openSecrets(config)!]
    expect(two.unseal(one.seal('text', 'purpose'), 'purpose')).toBe('text')
    expect(() => two.unseal(one.seal('text', 'purpose'), 'another')).toThrow('unable to authenticate data')
    expect(openSecrets({ ...config, databaseUrl: 'postgres://localhost/permeate' })).toBeUndefined()
    expect(openSecrets({ ...config, secretsKey: 'x'.repeat(32) })!.keyId).not.toBe(one.keyId)
  })

  test('names a key file that it cannot read', async () => {
    const dataDir = await temporaryFolder()
    const unreadable = join(dataDir, 'secrets.key')
    await mkdir(unreadable)
    expect(() => openSecrets({ ...config, dataDir })).toThrow(ConfigError)
    expect(() => openSecrets({ ...config, dataDir })).toThrow(`${unreadable} cannot be read: EISDIR`)
  })
})

const command = (...args: readonly string[]) => runScript('second-factor', args, { DATABASE_URL: server.databaseUrl })

test('the command line resets a second factor, such as that of a superadmin', async () => {
  const { subject, token } = await withFactor('superadmin')
  expect(await command('reset', subject.login.toUpperCase())).toEqual({
    code: 0,
    out: '',
    err: `Removed the second factor of ${subject.login}. It signs in with its password alone until it sets up another.\n`,
  })
  expect((await call('GET', path, { token })).statusCode).toBe(401)
  expect(await tokenOf(subject)).toBeTruthy()
  const recorded = await db.select().from(audit).where(eq(audit.action, 'npm run second-factor -- reset'))
  expect(recorded).toMatchObject([{ ids: [subject.id], outcome: 'done', account_id: null }])
  expect(await command('reset', 'nobody')).toEqual({ code: 1, out: '', err: 'Account not found: nobody\n' })
})

test('blocked accounts are told so only with the right password, as without a second factor', async () => {
  const { subject } = await withFactor()
  await db.update(accounts).set({ blocked: true }).where(eq(accounts.id, subject.id))
  expect((await logIn(subject, server, 'a guess')).statusCode).toBe(401)
  expect((await logIn(subject)).json()).toEqual({ message: 'This account is blocked' })
})
