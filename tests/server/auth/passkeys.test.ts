/** Passkeys as second factors: adding and removing them, signing in with one, and what is refused. */
import { Secret, TOTP } from 'otpauth'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Tokens } from '../../../src/api/contract/auth.ts'
import type { Passkey } from '../../../src/api/contract/passkeys.ts'
import { relyingPartyOf } from '../../../server/auth/relyingParty.ts'
import { openLog } from '../../../server/core/logger.ts'
import { audit } from '../../../server/db/schema/audit.ts'
import { passkeys, recoveryCodes } from '../../../server/db/schema/secondFactors.ts'
import { loginFailures } from '../../../server/db/schema/sessions.ts'
import { startServer } from '../support/harness.ts'
import { dataOf, password, signInsAt, type Subject } from '../support/accounts/signIns.ts'
import {
  softwareAuthenticator,
  type Deviations,
  type Options,
  type SoftwareAuthenticator,
} from '../support/accounts/softwareAuthenticator.ts'

const origin = 'https://permeate.example.com'
const lines: string[] = []
const { logger } = openLog(
  { logLevel: 'warn', logFormat: 'json', demo: false },
  { write: line => void lines.push(line) },
)
const server = await startServer({ environment: { PUBLIC_URL: `${origin}/` }, logger })
/** Another server of the same database, which requires a second factor of administrators. */
const strict = await startServer({
  beside: server,
  environment: { PUBLIC_URL: origin, REQUIRE_SECOND_FACTOR: 'administrators' },
})
/** One whose PUBLIC_URL is an address. */
const atAddress = await startServer({ beside: server })
const { db, clock } = server
const { account, logIn, tokenOf, ticketOf } = signInsAt(server)
const path = '/api/v3/auth/passkeys'
const refused = { message: 'This passkey was not accepted, please try again' }

const askToAdd = (token: string, proof: object = {}, at = server) =>
  at.call('POST', `${path}/options`, { token, body: { ...password, ...proof } })
const startAdding = async (token: string, proof: object = {}, at = server) =>
  dataOf<Options & { excludeCredentials: unknown[] }>(await askToAdd(token, proof, at))
const send = (token: string, credential: unknown, at = server) =>
  at.call('POST', path, { token, body: { name: 'Laptop', credential } })
type Added = { _id: string; recovery_codes: string[] }
/** Adds a passkey, with a proof of the second factor if there is one. */
const add = async (token: string, authenticator: SoftwareAuthenticator, proof: object = {}, at = server) =>
  dataOf<Added>(await send(token, authenticator.create(await startAdding(token, proof, at)), at))
const list = async (token: string) =>
  dataOf<{ passkeys: Passkey[]; unavailable: string | null }>(await server.call('GET', path, { token }))
const remove = (token: string, id: string, proof: object = {}, at = server) =>
  at.call('DELETE', `${path}/${id}`, { token, body: { ...password, ...proof } })
const startProof = async (token: string, at = server) =>
  dataOf<Options>(await at.call('POST', `${path}/proof/options`, { token }))
/** Proves the second factor by a passkey. */
const signProof = async (token: string, authenticator: SoftwareAuthenticator, at = server) => ({
  credential: authenticator.sign(await startProof(token, at)),
})

const optionsOf = async (ticket: string, at = server) =>
  dataOf<Options>(await at.call('POST', '/api/v3/auth/login/passkey/options', { headers: { 'login-ticket': ticket } }))
const enter = (ticket: string, credential: unknown, at = server) =>
  at.call('POST', '/api/v3/auth/login/passkey', { headers: { 'login-ticket': ticket }, body: { credential } })
const signInWith = async (subject: Subject, authenticator: SoftwareAuthenticator, deviations?: Deviations) => {
  const ticket = await ticketOf(subject)
  return enter(ticket, authenticator.sign(await optionsOf(ticket), deviations))
}

/** An account with a passkey. */
async function withPasskey(role?: 'superadmin' | 'admin' | 'vendor') {
  const subject = await account(role)
  const token = await tokenOf(subject)
  const authenticator = softwareAuthenticator(origin)
  return { subject, token, authenticator, ...(await add(token, authenticator)) }
}

beforeEach(() => db.delete(loginFailures).then(() => undefined))

describe('adding a passkey', () => {
  test('takes the password, makes recovery codes, ends other sessions, and lists it', async () => {
    const subject = await account()
    const [token, other] = [await tokenOf(subject), await tokenOf(subject)]
    const wrong = await server.call('POST', `${path}/options`, { token, body: { current_password: 'a guess' } })
    expect(wrong.json()).toEqual({ message: 'Current password is wrong' })
    const options = await startAdding(token)
    expect(options).toMatchObject({
      rp: { id: 'permeate.example.com', name: 'Permeate' },
      user: { name: subject.login },
      attestation: 'none',
      authenticatorSelection: { userVerification: 'required' },
    })
    const authenticator = softwareAuthenticator(origin)
    const { _id, recovery_codes } = dataOf<Added>(await send(token, authenticator.create(options)))
    expect(new Set(recovery_codes).size).toBe(10)
    expect((await server.call('GET', path, { token: other })).statusCode).toBe(401)
    expect(await list(token)).toEqual({
      passkeys: [{ _id, name: 'Laptop', created_at: expect.any(String), used_at: null }],
      unavailable: null,
    })
    const status = await server.call('GET', '/api/v3/auth/second-factor', { token })
    expect(dataOf(status)).toEqual({ enabled: true, authenticator: false, required: false, recovery_codes: 10 })

    // Another one brings no new codes, and is no copy of the first.
    const prove = () => signProof(token, authenticator)
    expect((await startAdding(token, await prove())).excludeCredentials).toHaveLength(1)
    expect((await add(token, softwareAuthenticator(origin), await prove())).recovery_codes).toEqual([])
    expect((await list(token)).passkeys).toHaveLength(2)
    // The authenticator's app beside them brings none either.
    const { key } = dataOf<{ key: string }>(
      await server.call('POST', '/api/v3/auth/second-factor', { token, body: { ...password, ...(await prove()) } }),
    )
    const code = new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: clock.now().getTime() })
    const confirmed = await server.call('POST', '/api/v3/auth/second-factor/confirm', { token, body: { code } })
    expect(dataOf(confirmed)).toEqual({ recovery_codes: [] })
  })

  test('takes the second factor too where there is one, so that a password alone adds none to it', async () => {
    const { token, recovery_codes } = await withPasskey()
    const foreign = await withPasskey()
    const missing = [400, { message: 'Enter a code, or use a passkey' }]
    const refusals = [
      [await askToAdd(token), missing],
      [await server.call('POST', '/api/v3/auth/second-factor', { token, body: password }), missing],
      [await askToAdd(token, { code: foreign.recovery_codes[0] }), [400, { message: 'The code is wrong' }]],
      [await askToAdd(token, await signProof(token, foreign.authenticator)), [400, refused]],
    ] as const
    for (const [answer, expected] of refusals) expect([answer.statusCode, answer.json()]).toEqual(expected)
    // No challenge was made by these.
    expect((await send(token, softwareAuthenticator(origin).create(await startProof(token)))).statusCode).toBe(400)
    expect((await list(token)).passkeys).toHaveLength(1)
    await add(token, softwareAuthenticator(origin), { code: recovery_codes[0] })
    expect((await list(token)).passkeys).toHaveLength(2)
  })

  test('is refused at another origin, for another domain, unverified, and with a challenge that is used or old', async () => {
    const token = await tokenOf(await account())
    const authenticator = softwareAuthenticator(origin)
    const deviations: readonly Deviations[] = [
      { origin: 'https://permeate.example.net' },
      { origin: 'http://permeate.example.com' },
      { domain: 'permeate.example.net' },
      { unverified: true },
    ]
    for (const deviation of deviations) {
      const answer = await send(token, authenticator.create(await startAdding(token), deviation))
      expect([answer.statusCode, answer.json()]).toEqual([400, refused])
    }
    // A challenge is used up also by what was refused.
    const options = await startAdding(token)
    await send(token, authenticator.create(options, { unverified: true }))
    expect((await send(token, authenticator.create(options))).statusCode).toBe(400)
    const old = await startAdding(token)
    clock.advance(5 * 60_000 + 1000)
    expect((await send(token, authenticator.create(old))).statusCode).toBe(400)
    // Another session's challenge, and what is no passkey at all.
    const foreign = await startAdding(await tokenOf(await account()))
    expect((await send(token, authenticator.create(foreign))).statusCode).toBe(400)
    const response = { clientDataJSON: 'AAAA', attestationObject: 'AAAA' }
    expect((await send(token, { id: 'AA', rawId: 'AA', type: 'public-key', response })).json()).toEqual(refused)
    expect(await list(token)).toMatchObject({ passkeys: [] })
  })

  test('of another account is refused', async () => {
    const { authenticator } = await withPasskey()
    const token = await tokenOf(await account())
    const answer = await send(token, authenticator.create(await startAdding(token)))
    expect([answer.statusCode, answer.json()]).toEqual([409, { message: 'This passkey is already registered' }])
  })
})

describe('signing in', () => {
  test('takes the password, then the passkey, at any server', async () => {
    const { subject, authenticator, token, _id } = await withPasskey()
    const answer = dataOf<{ login_ticket: string }>(await logIn(subject))
    expect(answer).toEqual({ login_ticket: expect.any(String), passkey: true })
    const options = await optionsOf(answer.login_ticket)
    expect(options).toMatchObject({
      rpId: 'permeate.example.com',
      userVerification: 'required',
      allowCredentials: [{ transports: ['internal'] }],
    })
    const tokens = dataOf<Tokens>(await enter(answer.login_ticket, authenticator.sign(options), strict))
    expect(tokens).toMatchObject({ user_id: subject.id, user_role: 'admin' })
    expect((await strict.call('GET', path, { token: tokens.access_token })).statusCode).toBe(200)
    expect((await list(token)).passkeys).toEqual([expect.objectContaining({ _id, used_at: expect.any(String) })])
    const entries = await db.select().from(audit).where(eq(audit.account_id, subject.id))
    expect(entries.find(({ action }) => action === 'POST /api/v3/auth/login/passkey')).toMatchObject({
      outcome: 'done',
      login: subject.login,
      values: { factor: 'passkey' },
    })
    expect(JSON.stringify(entries)).not.toContain('clientDataJSON')
  })

  test('is refused at another origin, unverified, or with a challenge that is used, replaced or of another sign-in', async () => {
    const { subject, authenticator } = await withPasskey()
    for (const deviation of [
      { origin: 'https://permeate.example.net' },
      { domain: 'example.com' },
      { unverified: true },
    ]) {
      const answer = await signInWith(subject, authenticator, deviation)
      expect([answer.statusCode, answer.json()]).toEqual([400, refused])
    }
    await db.delete(loginFailures)
    const [one, two] = [await ticketOf(subject), await ticketOf(subject)]
    const replaced = await optionsOf(one)
    const options = await optionsOf(one)
    expect((await enter(one, authenticator.sign(replaced))).statusCode).toBe(400)
    expect((await enter(two, authenticator.sign(options))).statusCode).toBe(400)
    const signed = authenticator.sign(options)
    expect((await enter(one, signed)).statusCode).toBe(200)
    // The ticket is used up, and with another one the challenge is.
    expect((await enter(one, signed)).statusCode).toBe(401)
    expect((await enter(two, signed)).json()).toEqual(refused)
  })

  test('is refused when the counter does not go up', async () => {
    const { subject, authenticator } = await withPasskey()
    expect((await signInWith(subject, authenticator, { counter: 7 })).statusCode).toBe(200)
    for (const counter of [7, 6, 0])
      expect((await signInWith(subject, authenticator, { counter })).json()).toEqual(refused)
    expect((await signInWith(subject, authenticator, { counter: 8 })).statusCode).toBe(200)
    // Some authenticators do not count.
    const token = await tokenOf(await account())
    const other = softwareAuthenticator(origin)
    dataOf(await send(token, other.create(await startAdding(token), { counter: 0 })))
    const [owner] = await db.select().from(passkeys).where(eq(passkeys.counter, 0))
    const uncounted = { id: owner!.account_id, login: `${owner!.account_id}@example.com` }
    for (let time = 0; time < 2; time++)
      expect((await signInWith(uncounted, other, { counter: 0 })).statusCode).toBe(200)
  })

  test('leaves the reason of a refusal in the log, with the id of the request', async () => {
    const { subject, authenticator, token, recovery_codes } = await withPasskey()
    const proof = { code: recovery_codes[0] }
    const other = await withPasskey()
    const ticket = await ticketOf(subject)
    const signed = async (deviations?: Deviations, by = authenticator) => by.sign(await optionsOf(ticket), deviations)
    const replaced = await signed()
    const answers = [
      [await enter(ticket, await signed({ origin: 'https://evil.example\nerror: forged' })), /origin "https:\/\/evil/],
      [await enter(ticket, await signed({ unverified: true })), /user verification/i],
      [await enter(ticket, await signed(undefined, other.authenticator)), /the account has no such passkey/],
      [await enter(ticket, replaced), /its challenge is unknown, used, expired/],
      [
        await send(
          token,
          softwareAuthenticator(origin).create(await startAdding(token, proof), { domain: 'evil.example' }),
        ),
        /RP ID/,
      ],
    ] as const
    for (const [answer, reason] of answers) {
      expect(answer.json()).toEqual(refused)
      const line = lines.find(one => one.includes(String(answer.headers['x-request-id'])))
      const { msg, level } = JSON.parse(line!) as { msg: string; level: string }
      expect(level).toBe('warn')
      expect(msg).toMatch(reason)
      expect(msg).not.toContain('\n')
      for (const secret of [ticket, token, replaced.response.signature]) expect(line).not.toContain(secret)
    }
  })

  test('takes only a passkey of this account that is still registered', async () => {
    const [one, two] = [await withPasskey(), await withPasskey()]
    expect((await signInWith(one.subject, two.authenticator)).json()).toEqual(refused)
    const spare = softwareAuthenticator(origin)
    const { _id } = await add(one.token, spare, { code: one.recovery_codes[1] })
    expect((await remove(one.token, _id, { code: one.recovery_codes[0] })).statusCode).toBe(200)
    expect((await signInWith(one.subject, spare)).json()).toEqual(refused)
    expect((await signInWith(one.subject, one.authenticator)).statusCode).toBe(200)
  })

  test('is throttled together with codes, and a recovery code works instead', async () => {
    const { subject, authenticator, recovery_codes } = await withPasskey()
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await signInWith(subject, authenticator, { unverified: true })).statusCode).toBe(400)
    expect((await signInWith(subject, authenticator)).statusCode).toBe(429)
    await db.delete(loginFailures)
    const headers = { 'login-ticket': await ticketOf(subject) }
    const code = (text: string | undefined) =>
      server.call('POST', '/api/v3/auth/login/code', { headers, body: { code: text } })
    expect((await code('123456')).statusCode).toBe(400)
    expect((await code(recovery_codes[0])).statusCode).toBe(200)
  })

  test('accepts a signature once, also at two servers at the same time', async () => {
    const { subject, authenticator } = await withPasskey()
    const ticket = await ticketOf(subject)
    const signed = authenticator.sign(await optionsOf(ticket))
    const answers = await Promise.all([server, strict, server, strict].map(at => enter(ticket, signed, at)))
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect(statuses.every(status => [200, 400, 401].includes(status))).toBe(true)
  })
})

describe('removing', () => {
  test('takes the password and the second factor, and the last one takes the second factor with it', async () => {
    const { subject, token, _id, authenticator, recovery_codes } = await withPasskey()
    const foreign = await withPasskey()
    const guess = await server.call('DELETE', `${path}/${_id}`, { token, body: { current_password: 'a guess' } })
    expect(guess.statusCode).toBe(400)
    expect((await remove(token, foreign._id)).json()).toEqual({ message: 'Passkey not found' })
    expect((await remove(token, 'absent')).json()).toEqual({ message: 'Passkey not found' })
    expect((await list(foreign.token)).passkeys).toHaveLength(1)
    const alone = await remove(token, _id)
    expect([alone.statusCode, alone.json()]).toEqual([400, { message: 'Enter a code, or use a passkey' }])
    const signed = await signProof(token, authenticator)
    const attempts = [
      { code: '123456' },
      { code: foreign.recovery_codes[0] },
      { credential: authenticator.sign(await startProof(token), { unverified: true }) },
      // Its challenge was replaced.
      signed,
      await signProof(token, foreign.authenticator),
    ]
    for (const attempt of attempts) {
      expect((await remove(token, _id, attempt)).statusCode).toBe(400)
      await db.delete(loginFailures)
    }
    expect((await list(token)).passkeys).toHaveLength(1)
    const spare = await add(token, softwareAuthenticator(origin), { code: recovery_codes[1] })
    expect((await remove(token, spare._id, { code: recovery_codes[0] })).statusCode).toBe(200)
    expect((await remove(token, _id, await signProof(token, authenticator))).statusCode).toBe(200)
    expect(await db.$count(recoveryCodes, eq(recoveryCodes.account_id, subject.id))).toBe(0)
    expect(await tokenOf(subject)).toBeTruthy()
  })

  test('is throttled together with sign-ins', async () => {
    const { subject, token, _id, authenticator, recovery_codes } = await withPasskey()
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await remove(token, _id, { code: '123456' })).statusCode).toBe(400)
    expect((await remove(token, _id, { code: recovery_codes[0] })).statusCode).toBe(429)
    expect((await signInWith(subject, authenticator)).statusCode).toBe(429)
  })

  test('has challenges with which no passkey can be added', async () => {
    const { token } = await withPasskey()
    const answer = await send(token, softwareAuthenticator(origin).create(await startProof(token)))
    expect([answer.statusCode, answer.json()]).toEqual([400, refused])
    const other = await tokenOf(await account())
    expect((await server.call('POST', `${path}/proof/options`, { token: other })).statusCode).toBe(409)
  })

  test('by a passkey, recovery codes are made anew and the second factor is turned off too', async () => {
    const { subject, token, authenticator } = await withPasskey()
    const factor = '/api/v3/auth/second-factor'
    const body = async () => ({ ...password, ...(await signProof(token, authenticator)) })
    const renewed = await server.call('POST', `${factor}/recovery-codes`, { token, body: await body() })
    expect(dataOf<{ recovery_codes: string[] }>(renewed).recovery_codes).toHaveLength(10)
    expect((await server.call('DELETE', factor, { token, body: await body() })).statusCode).toBe(200)
    expect(await tokenOf(subject)).toBeTruthy()
  })

  test('all of them: by turning the second factor off, and by who manages the account', async () => {
    const one = await withPasskey('vendor')
    const off = { ...password, code: one.recovery_codes[0] }
    const disabled = await server.call('DELETE', '/api/v3/auth/second-factor', { token: one.token, body: off })
    expect(disabled.statusCode).toBe(200)
    expect(await tokenOf(one.subject)).toBeTruthy()
    const lost = await withPasskey('admin')
    const superadmin = await tokenOf(await account('superadmin'))
    const reset = await server.call('DELETE', `/api/v3/admins/${lost.subject.id}/second-factor`, { token: superadmin })
    expect(reset.statusCode).toBe(200)
    expect((await server.call('GET', path, { token: lost.token })).statusCode).toBe(401)
    expect(await tokenOf(lost.subject)).toBeTruthy()
    expect(await db.$count(passkeys, eq(passkeys.account_id, lost.subject.id))).toBe(0)
  })
})

test('where a second factor is required, a passkey is one, and the last one stays', async () => {
  const subject = await account()
  const token = await tokenOf(subject, strict)
  const anyCall = async () => (await strict.call('GET', '/api/v3/devices', { token })).statusCode
  expect(await anyCall()).toBe(401)
  const authenticator = softwareAuthenticator(origin)
  const { _id, recovery_codes } = await add(token, authenticator, {}, strict)
  expect(await anyCall()).toBe(200)
  const last = await remove(token, _id, { code: recovery_codes[0] }, strict)
  expect([last.statusCode, last.json()]).toEqual([
    409,
    { message: 'Your account needs a second factor: add another one before you remove this passkey' },
  ])
  const off = await strict.call('DELETE', '/api/v3/auth/second-factor', {
    token,
    body: { ...password, ...(await signProof(token, authenticator, strict)) },
  })
  expect([off.statusCode, off.json()]).toEqual([
    409,
    { message: 'Your account needs a second factor, so it cannot be turned off' },
  ])
  await add(token, softwareAuthenticator(origin), await signProof(token, authenticator, strict), strict)
  // What was refused has used up no recovery code.
  expect((await remove(token, _id, { code: recovery_codes[0] }, strict)).statusCode).toBe(200)
  // The session goes on, and is renewed.
  expect(await anyCall()).toBe(200)
})

describe('a server whose PUBLIC_URL allows no passkeys', () => {
  test('says why, and offers none', async () => {
    const { subject, token } = await withPasskey()
    const unavailable = `Passkeys need a domain name, and the setting PUBLIC_URL of the server has an address: http://127.0.0.1:8080`
    const shown = await atAddress.call('GET', path, { token })
    expect(dataOf(shown)).toMatchObject({ passkeys: [{ name: 'Laptop' }], unavailable })
    const started = await atAddress.call('POST', `${path}/options`, { token, body: password })
    expect([started.statusCode, started.json()]).toEqual([409, { message: unavailable }])
    expect(Object.keys(dataOf<object>(await logIn(subject, atAddress)))).toEqual(['login_ticket'])
    const ticket = await ticketOf(subject, atAddress)
    const headers = { 'login-ticket': ticket }
    expect((await atAddress.call('POST', '/api/v3/auth/login/passkey/options', { headers })).statusCode).toBe(409)
  })

  test.each([
    ['https://permeate.example.com/console', { id: 'permeate.example.com', origin }],
    ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
    ['http://permeate.example.com', { unavailable: expect.stringMatching(/^Passkeys need HTTPS/) }],
    ['https://192.0.2.1', { unavailable: expect.stringMatching(/^Passkeys need a domain name/) }],
    ['https://[2001:db8::1]', { unavailable: expect.stringMatching(/^Passkeys need a domain name/) }],
  ])('for %s', (publicUrl, expected) => {
    expect(relyingPartyOf(publicUrl)).toEqual(expected)
  })
})
