/** API keys: creating, using and revoking them, what they may not do, and what attackers see. */
import type { AddressInfo } from 'node:net'
import { desc, eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { apiKeys as contract, maxKeys, type ApiKey } from '../../../src/api/contract/apiKeys.ts'
import { startSession } from '../../../server/auth/sessions.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { apiKeys } from '../../../server/db/schema/apiKeys.ts'
import { audit } from '../../../server/db/schema/audit.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { loginFailures } from '../../../server/db/schema/sessions.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { until } from '../../support/until.ts'
import { startServer } from '../support/harness.ts'
import { dataOf, password, signInsAt } from '../support/accounts/signIns.ts'
import { listen } from '../support/calls/streamReader.ts'

const neverPings = { pingInterval: 3_600_000 }
const server = await startServer({ intervals: neverPings })
/** Another server of the same database. */
const other = await startServer({ beside: server, intervals: neverPings })
await other.app.listen({ port: 0, host: '127.0.0.1' })
const otherUrl = `http://127.0.0.1:${(other.app.server.address() as AddressInfo).port}`
const { db, clock, call, signIn } = server
const { account, tokenOf } = signInsAt(server)

const path = contract.list.path
const day = 86_400_000
interface Created {
  readonly _id: string
  readonly key: string
  readonly expires_at: string
}
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const withKey = (key: string, url = '/api/v3/devices', at = server) => at.call('GET', url, { headers: bearer(key) })
const create = (token: string, values: object = {}) =>
  call('POST', path, { token, body: { name: 'Nightly export', scope: 'read', days: 30, ...password, ...values } })
const newKey = async (token: string, values: object = {}) => dataOf<Created>(await create(token, values))
const listOf = async (token: string) => dataOf<{ keys: ApiKey[] }>(await call('GET', path, { token })).keys
const tokenOfDemo = async (login: string) => (await signIn(login)).access_token
const lastEntry = async () => (await db.select().from(audit).orderBy(desc(audit.id)).limit(1))[0]!

const invalid = { message: 'This API key is not valid: it has expired, was revoked, or is mistyped' }

beforeEach(() => db.delete(loginFailures).then(() => undefined))

describe('creating a key', () => {
  test('takes the password, and shows the key only in its response', async () => {
    const token = await tokenOf(await account('vendor'))
    expect((await create(token, { current_password: 'a guess' })).json()).toEqual({
      message: 'Current password is wrong',
    })
    expect(await listOf(token)).toEqual([])
    const { _id, key, expires_at } = await newKey(token)
    expect(key).toMatch(/^permeate_[\w-]{43}$/)
    expect(Date.parse(expires_at) - clock.now().getTime()).toBeLessThanOrEqual(30 * day)
    expect(Date.parse(expires_at) - clock.now().getTime()).toBeGreaterThan(30 * day - 60_000)
    const [listed, ...rest] = await listOf(token)
    expect(rest).toEqual([])
    expect(listed).toEqual({
      _id,
      name: 'Nightly export',
      scope: 'read',
      vendor: null,
      created_at: expect.any(String) as string,
      expires_at,
      used_at: null,
    })
    const stored = JSON.stringify([await db.select().from(apiKeys), await db.select().from(audit)])
    expect(stored).not.toContain(key.slice('permeate_'.length))
    expect(await lastEntry()).toMatchObject({
      action: 'POST /api/v3/auth/keys',
      outcome: 'done',
      created_ids: [_id],
      values: { name: 'Nightly export', scope: 'read', days: 30 },
    })
  })

  test.each([
    [{ days: 366 }, 'Days must be less than or equal to 365'],
    [{ days: 0 }, 'Days must be greater than or equal to 1'],
    [{ days: 1.5 }, 'Days must be an integer'],
    [{ name: '  ' }, 'Name is required'],
    [{ name: 'x'.repeat(61) }, 'Name must be at most 60 characters'],
    [{ name: 'a\u001b[31m' }, 'Name must not contain control characters'],
    [{ scope: 'admin' }, 'Scope must be one of read, write'],
  ])('with %j is refused', async (values, message) => {
    const token = await tokenOf(await account('vendor'))
    const answer = await create(token, values)
    expect(answer.statusCode).toBe(400)
    expect([answer.json<{ message: unknown }>().message].flat()).toEqual([message])
    expect(await listOf(token)).toEqual([])
  })

  test('takes a code, too, of an account with a second factor', async () => {
    const token = await tokenOf(await account())
    const factor = '/api/v3/auth/second-factor'
    const { key } = dataOf<{ key: string }>(await call('POST', factor, { token, body: password }))
    const code = () => new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: clock.now().getTime() })
    dataOf(await call('POST', `${factor}/confirm`, { token, body: { code: code() } }))
    clock.advance(60_000)
    expect((await create(token)).json()).toEqual({ message: 'Enter a code, or use a passkey' })
    expect((await create(token, { code: 'aaaa-bbbb' })).json()).toEqual({ message: 'The code is wrong' })
    expect(await listOf(token)).toEqual([])
    const created = await newKey(token, { code: code() })
    expect((await withKey(created.key)).statusCode).toBe(200)
  })

  test('is limited to five wrong passwords', async () => {
    const token = await tokenOf(await account('vendor'))
    for (let guess = 0; guess < 5; guess++) await create(token, { current_password: `guess ${guess}` })
    expect((await create(token)).statusCode).toBe(429)
  })

  test(`is limited to ${maxKeys} valid keys, also by calls at the same time`, async () => {
    const token = await tokenOf(await account('vendor'))
    const answers = await Promise.all(Array.from({ length: maxKeys + 3 }, () => create(token, { days: 7 })))
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(statuses).toEqual([...Array<number>(maxKeys).fill(200), 409, 409, 409])
    expect(await listOf(token)).toHaveLength(maxKeys)
    expect((await create(token)).json()).toEqual({
      message: 'An account can have 20 API keys: revoke one that you no longer need',
    })
    const [{ _id } = { _id: '' }] = await listOf(token)
    dataOf(await call('DELETE', `${path}/${_id}`, { token }))
    await newKey(token)
  })
})

describe('a key', () => {
  test('has the rights of its account and not more', async () => {
    const { key } = await newKey(await tokenOfDemo('vendor'), { scope: 'write' })
    const own = dataOf<{ count: number }>(await withKey(key)).count
    const [vendor] = await db.select().from(accounts).where(eq(accounts.login, 'vendor'))
    expect(own).toBe(await db.$count(devices, eq(devices.vendor_id, vendor!.id)))
    expect((await withKey(key, '/api/v3/audit')).statusCode).toBe(403)
    const rows = await db.select().from(devices)
    const foreign = rows.find(({ vendor_id }) => vendor_id !== vendor!.id)!
    const [refused, absent] = [
      await withKey(key, `/api/v3/devices/${foreign.bssid}`),
      await withKey(key, '/api/v3/devices/00:00:00:00:00:00'),
    ]
    expect(refused.statusCode).toBe(404)
    expect(refused.body).toBe(absent.body)
  })

  test('of an administrator can be limited to a vendor', async () => {
    const [{ id: vendor }, { id: foreign }] = [await account('vendor'), await account('vendor')]
    const [device] = await db.select().from(devices).limit(1)
    const give = (id: string) => db.update(devices).set({ vendor_id: id }).where(eq(devices.bssid, device!.bssid))
    const token = await tokenOf(await account('admin'))
    const { key } = await newKey(token, { name: 'Assembly', vendor, scope: 'write' })
    const seen = async () => dataOf<{ count: number }>(await withKey(key)).count
    await give(foreign)
    expect(await seen()).toBe(0)
    expect((await withKey(key, `/api/v3/devices/${device!.bssid}`)).statusCode).toBe(404)
    await give(vendor)
    expect(await seen()).toBe(1)
    expect((await withKey(key, '/api/v3/admins')).statusCode).toBe(403)
    expect(dataOf(await withKey(key, '/api/v3/vendors/me/profile'))).toMatchObject({ _id: vendor })
    expect((await listOf(token))[0]).toMatchObject({ vendor: { _id: vendor } })
    const ids = [device!.bssid]
    await call('PUT', '/api/v3/devices/time-zone', { body: { ids, time_zone: null }, headers: bearer(key) })
    expect(await lastEntry()).toMatchObject({ role: 'admin', ids, values: { api_key: { name: 'Assembly' } } })
  })

  test('of one vendor is not answered by what another vendor’s has done with the same idempotency key', async () => {
    const token = await tokenOf(await account('admin'))
    for (const vendor of [(await account('vendor')).id, (await account('vendor')).id]) {
      const { key } = await newKey(token, { name: 'Works', vendor, scope: 'write' })
      const headers = { ...bearer(key), 'idempotency-key': 'works' }
      const body = { ids: ['00:00:00:00:00:00'] }
      const answer = await call('POST', '/api/v3/devices/flush', { body, headers })
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.headers['idempotency-replayed']).toBeUndefined()
    }
  })

  test('of an administrator is revoked when the vendor is deleted, and its stream ends', async () => {
    const { id: vendor } = await account('vendor')
    const { key } = await newKey(await tokenOf(await account('admin')), { vendor })
    const stream = await listen(otherUrl, '', bearer(key))
    expect(stream.response.status).toBe(200)
    const body = { ids: [vendor] }
    await call('DELETE', '/api/v3/vendors', { token: await tokenOfDemo('admin'), body })
    await stream.ended
    expect((await withKey(key)).json()).toEqual(invalid)
  })

  test('is limited only by an administrator, and only to a vendor', async () => {
    const { id } = await account('vendor')
    const refused = await create(await tokenOf(await account('vendor')), { vendor: id })
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: 'Only keys of administrators can be limited to a vendor' },
    ])
    const token = await tokenOf(await account('admin'))
    for (const vendor of ['nobody', (await account('admin')).id])
      expect((await create(token, { vendor })).statusCode).toBe(404)
    expect(await listOf(token)).toEqual([])
  })

  test('is named in the history, for calls that were done and those that were refused', async () => {
    const token = await tokenOfDemo('admin')
    const [reading, writing] = [
      await newKey(token, { name: 'Reports' }),
      await newKey(token, { name: 'Night shift', scope: 'write' }),
    ]
    const [device] = await db.select().from(devices).limit(1)
    const flush = (key: string) =>
      call('POST', '/api/v3/devices/flush', { headers: bearer(key), body: { ids: [device!.bssid] } })
    dataOf(await flush(writing.key))
    expect(await lastEntry()).toMatchObject({
      login: 'admin',
      outcome: 'done',
      values: { api_key: { id: writing._id, name: 'Night shift' } },
    })
    expect((await flush(reading.key)).statusCode).toBe(403)
    expect(await lastEntry()).toMatchObject({
      outcome: 'refused',
      values: { api_key: { id: reading._id, name: 'Reports' } },
    })
    const found = await withKey(reading.key, '/api/v3/audit?column=key&search=night')
    expect(dataOf<{ data: object[] }>(found).data).toEqual([
      expect.objectContaining({ key: 'Night shift', action: 'POST /api/v3/devices/flush' }),
    ])
    dataOf(await call('POST', '/api/v3/devices/flush', { token, body: { ids: [device!.bssid] } }))
    expect((await lastEntry()).values).toEqual({})
  })

  test('says when it was last used, to the minute', async () => {
    const token = await tokenOf(await account('vendor'))
    const { key } = await newKey(token)
    const usedAt = async () => (await listOf(token))[0]!.used_at
    await withKey(key)
    await until(async () => expect(await usedAt()).not.toBeNull())
    const first = await usedAt()
    clock.advance(30_000)
    await withKey(key)
    clock.advance(31_000)
    const now = clock.now().getTime()
    await withKey(key)
    await until(async () => expect(Date.parse((await usedAt())!)).toBeGreaterThanOrEqual(now))
    expect(Date.parse((await usedAt())!) - Date.parse(first!)).toBeGreaterThan(60_000)
  })

  test('is not looked at beside an access token, and other bearer tokens are not keys', async () => {
    const { key } = await newKey(await tokenOfDemo('vendor'))
    const token = await tokenOfDemo('admin')
    expect((await call('GET', '/api/v3/audit', { token, headers: bearer(key) })).statusCode).toBe(200)
    expect((await withKey('a-token-of-a-proxy')).json()).toEqual({ message: 'Please sign in' })
    expect((await call('GET', '/api/v3/devices', { headers: { authorization: key } })).statusCode).toBe(401)
  })
})

describe('an attacker', () => {
  test('sees keys of others as absent ones', async () => {
    const [owner, stranger] = [await tokenOf(await account('vendor')), await tokenOf(await account('vendor'))]
    const { _id, key } = await newKey(owner)
    const [foreign, absent] = [
      await call('DELETE', `${path}/${_id}`, { token: stranger }),
      await call('DELETE', `${path}/absent`, { token: stranger }),
    ]
    expect([foreign.statusCode, absent.statusCode]).toEqual([404, 404])
    expect(foreign.body).toBe(absent.body)
    expect(await listOf(stranger)).toEqual([])
    expect((await withKey(key)).statusCode).toBe(200)
  })

  test.each([
    ['of another form', 'permeate_x'],
    ['only the prefix', 'permeate_'],
    ['unknown', `permeate_${'A'.repeat(43)}`],
    ['with more behind it', `permeate_${'A'.repeat(43)}'or'1`],
    ['very long', `permeate_${'A'.repeat(5000)}`],
  ])('with a key that is %s gets a 401', async (_, key) => {
    const answer = await withKey(key)
    expect([answer.statusCode, answer.json()]).toEqual([401, invalid])
  })

  test('has twenty attempts in five minutes, which do not keep valid keys out', async () => {
    const { key } = await newKey(await tokenOf(await account('vendor')))
    for (let guess = 0; guess < 20; guess++) expect((await withKey(`permeate_${'B'.repeat(43)}`)).statusCode).toBe(401)
    const limited = await withKey(`permeate_${'C'.repeat(43)}`)
    expect(limited.statusCode).toBe(429)
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect((await withKey(key)).statusCode).toBe(200)
  })
})

describe('a key is refused', () => {
  const fresh = async (role: 'admin' | 'vendor' = 'vendor') => {
    const subject = await account(role)
    const token = await tokenOf(subject)
    return { ...subject, token, key: (await newKey(token)).key }
  }
  const expectRefused = async (key: string) => {
    // At once, also by another server.
    for (const at of [server, other]) {
      const answer = await withKey(key, '/api/v3/devices', at)
      expect([answer.statusCode, answer.json()]).toEqual([401, invalid])
    }
  }
  /** A new session, because the clock has been advanced. */
  const admin = async () => {
    const [{ id } = { id: '' }] = await db.select().from(accounts).where(eq(accounts.login, 'admin'))
    return (await startSession(db, { id, role: 'admin' }, clock.now())).access_token
  }

  test('once it has expired; it is listed for 30 days more', async () => {
    const { key, token, login } = await fresh()
    clock.advance(30 * day - 60_000)
    expect((await withKey(key)).statusCode).toBe(200)
    clock.advance(60_000)
    await expectRefused(key)
    const again = await tokenOf({ id: '', login })
    expect(again).not.toBe(token)
    expect(await listOf(again)).toHaveLength(1)
    clock.advance(30 * day)
    const later = await tokenOf({ id: '', login })
    expect(await listOf(later)).toEqual([])
    // Creating a key removes what is no longer listed.
    await newKey(later)
    expect((await db.select().from(apiKeys)).filter(({ expires_at }) => expires_at < clock.now())).toEqual([])
  })

  test('once it is revoked, which is in the history', async () => {
    const { key, token } = await fresh()
    const [{ _id } = { _id: '' }] = await listOf(token)
    dataOf(await call('DELETE', `${path}/${_id}`, { token }))
    await expectRefused(key)
    expect(await lastEntry()).toMatchObject({ action: 'DELETE /api/v3/auth/keys/{id}', ids: [_id], outcome: 'done' })
  })

  test('once its account is blocked, also after it was unblocked', async () => {
    const { id, key } = await fresh()
    const setStatus = async (status: boolean) =>
      dataOf(
        await call('PATCH', `/api/v3/vendors/${id}/change-status`, {
          token: await admin(),
          body: { status },
        }),
      )
    await setStatus(true)
    await expectRefused(key)
    await setStatus(false)
    await expectRefused(key)
  })

  test('once its account is deleted', async () => {
    const { id, key } = await fresh()
    dataOf(await call('DELETE', '/api/v3/vendors', { token: await admin(), body: { ids: [id] } }))
    await expectRefused(key)
  })

  test('once an administrator has changed the password of its account', async () => {
    const { id, key } = await fresh()
    const body = { password: 'chosen by another' }
    dataOf(await call('PATCH', `/api/v3/vendors/${id}/change-password`, { token: await admin(), body }))
    await expectRefused(key)
  })

  test('once its owner has changed the password', async () => {
    const { key, token } = await fresh()
    const body = { current_password: demoPassword, password: 'chosen by its owner' }
    dataOf(await call('PATCH', '/api/v3/vendors/me/profile/password', { token, body }))
    await expectRefused(key)
    expect(await listOf(token)).toEqual([])
  })

  test('once its account has its first second factor', async () => {
    const { key, token } = await fresh()
    const factor = '/api/v3/auth/second-factor'
    const { key: secret } = dataOf<{ key: string }>(await call('POST', factor, { token, body: password }))
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() })
    dataOf(await call('POST', `${factor}/confirm`, { token, body: { code } }))
    await expectRefused(key)
  })

  test('where its account needs a second factor that it does not have', async () => {
    const { key } = await fresh('admin')
    const strict = await startServer({ beside: server, environment: { REQUIRE_SECOND_FACTOR: 'administrators' } })
    const answer = await withKey(key, '/api/v3/devices', strict)
    expect(answer.statusCode).toBe(401)
    expect(answer.json<{ message: string }>().message).toContain('needs a second factor')
  })

  test('and its stream ends, also at another server', async () => {
    const { key, token } = await fresh()
    const stream = await listen(otherUrl, '', bearer(key))
    expect(stream.response.status).toBe(200)
    const [{ _id } = { _id: '' }] = await listOf(token)
    dataOf(await call('DELETE', `${path}/${_id}`, { token }))
    await stream.ended
    // The session goes on.
    expect(await listOf(token)).toEqual([])
  })
})
