/** Replacing an authenticator in place: its proof, until when the old one counts, sessions, and the history. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { Tokens } from '../../../../src/api/contract/auth.ts'
import { audit } from '../../../../server/db/schema/audit.ts'
import { secondFactors } from '../../../../server/db/schema/secondFactors.ts'
import { loginFailures } from '../../../../server/db/schema/sessions.ts'
import { authenticatorsAt } from '../../support/accounts/authenticators.ts'
import { startServer } from '../../support/harness.ts'
import { dataOf, password, signInsAt, type Subject } from '../../support/accounts/signIns.ts'

const server = await startServer()
/** A server of the same database that requires a second factor of administrators, with the same key. */
const strict = await startServer({
  beside: server,
  environment: {
    REQUIRE_SECOND_FACTOR: 'administrators',
    SECRETS_KEY: readFileSync(join(server.dataDir, 'secrets.key'), 'utf8').trim(),
  },
})
const { db, clock, call } = server
const { account, tokenOf, ticketOf, enterCode: enter } = signInsAt(server)

const { codeOf, withFactor } = authenticatorsAt(server)

const path = '/api/v3/auth/second-factor'
const replacement = `${path}/replacement`
const start = (token: string, body: object, at = server) => at.call('POST', replacement, { token, body })
const confirm = (token: string, code: string, at = server) =>
  at.call('POST', `${replacement}/confirm`, { token, body: { code } })
const newKeyOf = async (token: string, code: string, at = server) =>
  dataOf<{ key: string; uri: string }>(await start(token, { ...password, code }, at))
const codeWorks = async (subject: Subject, code: string) =>
  (await enter(await ticketOf(subject), code)).statusCode === 200

beforeEach(() => db.delete(loginFailures).then(() => undefined))

test('works where a second factor is required; the old one counts until the new one is confirmed', async () => {
  const { subject, token, key, recovery_codes } = await withFactor('admin')
  const next = await newKeyOf(token, codeOf(key), strict)
  expect(next.key).not.toBe(key)
  expect(next.uri).toContain(`secret=${next.key}`)
  expect(await codeWorks(subject, codeOf(next.key, 1))).toBe(false)
  expect(await codeWorks(subject, codeOf(key, 1))).toBe(true)
  const other = await ticketOf(subject)
  const wrong = await confirm(token, codeOf(key, 2), strict)
  expect([wrong.statusCode, wrong.json()]).toEqual([400, { message: 'The code is wrong' }])
  expect((await confirm(token, codeOf(next.key), strict)).json()).toEqual({ data: {} })

  // The code that confirmed it is used up; the old key and sign-ins that had begun are worth nothing.
  clock.advance(60_000)
  expect((await enter(other, codeOf(next.key))).statusCode).toBe(401)
  expect(await codeWorks(subject, codeOf(next.key, -2))).toBe(false)
  expect(await codeWorks(subject, codeOf(key))).toBe(false)
  expect(await codeWorks(subject, codeOf(next.key))).toBe(true)
  expect(await codeWorks(subject, recovery_codes[0]!)).toBe(true)
  expect((await confirm(token, codeOf(next.key, 1), strict)).statusCode).toBe(409)
})

test('ends the other sessions, not the own one, and only once it is confirmed', async () => {
  const { subject, token, key } = await withFactor()
  const other = dataOf<Tokens>(await enter(await ticketOf(subject), codeOf(key))).access_token
  const status = async (of: string) => (await call('GET', path, { token: of })).statusCode
  const next = await newKeyOf(token, codeOf(key, 1))
  expect([await status(token), await status(other)]).toEqual([200, 200])
  // A session that has not proved who it is cannot confirm it.
  expect((await confirm(other, codeOf(next.key))).statusCode).toBe(409)
  dataOf(await confirm(token, codeOf(next.key)))
  expect([await status(token), await status(other)]).toEqual([200, 401])
  expect(dataOf(await call('GET', path, { token }))).toMatchObject({ authenticator: true, recovery_codes: 10 })
})

test('asks for the password and a code that is not used, or a recovery code', async () => {
  const { token, key, recovery_codes } = await withFactor('vendor')
  expect((await start(token, { current_password: 'a guess', code: codeOf(key) })).statusCode).toBe(400)
  expect((await start(token, password)).statusCode).toBe(400)
  expect((await start(token, { ...password, code: codeOf(key, 5) })).statusCode).toBe(400)
  const first = await newKeyOf(token, recovery_codes[0]!)
  expect((await start(token, { ...password, code: recovery_codes[0]! })).statusCode).toBe(400)
  // Started anew, the first new key no longer counts.
  const second = await newKeyOf(token, codeOf(key))
  expect((await confirm(token, codeOf(first.key))).statusCode).toBe(400)
  expect((await confirm(token, codeOf(second.key))).statusCode).toBe(200)
  const without = await tokenOf(await account('vendor'))
  expect((await start(without, { ...password, code: '123456' })).statusCode).toBe(409)
  expect((await confirm(without, '123456')).statusCode).toBe(409)
})

test('is confirmed within ten minutes, and throttled like other codes', async () => {
  const { subject, token, key, recovery_codes } = await withFactor()
  const late = await newKeyOf(token, codeOf(key))
  clock.advance(10 * 60_000)
  expect((await confirm(token, codeOf(late.key))).statusCode).toBe(409)
  const next = await newKeyOf(token, recovery_codes[0]!)
  for (let attempt = 0; attempt < 5; attempt++) expect((await confirm(token, codeOf(next.key, 5))).statusCode).toBe(400)
  expect((await confirm(token, codeOf(next.key))).statusCode).toBe(429)
  expect((await db.select().from(secondFactors).where(eq(secondFactors.account_id, subject.id)))[0]).toMatchObject({
    next_session: expect.any(String) as string,
  })
})

test('is in the history, without the key', async () => {
  const { subject, token, key } = await withFactor()
  const next = await newKeyOf(token, codeOf(key))
  dataOf(await confirm(token, codeOf(next.key)))
  const entries = await db.select().from(audit).where(eq(audit.login, subject.login))
  expect(JSON.stringify(entries)).not.toContain(next.key)
  const url = `/api/v3/audit?column=login&operator=eq&search=${encodeURIComponent(subject.login)}&sort=at&direction=desc`
  const { data } = dataOf<{ data: { title: string }[] }>(
    await call('GET', url, { token: await tokenOf(await account()) }),
  )
  expect(data.slice(0, 2).map(({ title }) => title)).toEqual([
    'Replaced authenticator',
    'Started replacing authenticator',
  ])
})
