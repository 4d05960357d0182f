/** Idempotency keys: a change that is sent again is done once, on whichever server, also after one has died. */
import { and, arrayContains, eq } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { endpoints } from '../../../src/api/contract/all/endpoints.ts'
import { notifications } from '../../../src/api/contract/notifications.ts'
import { passkeys } from '../../../src/api/contract/passkeys.ts'
import { audit } from '../../../server/db/schema/audit.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { deviceModels } from '../../../server/db/schema/models.ts'
import { idempotencyKeys } from '../../../server/db/schema/idempotencyKeys.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { newId } from '../../../server/db/id.ts'
import { pruneIdempotencyKeys } from '../../../server/http/idempotency.ts'
import { until } from '../../support/until.ts'
import { startServer, type TestServer } from '../support/harness.ts'
import { multipart } from '../../support/multipart.ts'
import { setStatus } from '../support/devices/deviceRows.ts'

const one = await startServer()
const two = await startServer({ beside: one })
const { db, clock } = one
const admin = (await one.signIn('admin')).access_token
const owner = await one.signIn('vendor')
await setStatus(db, 0)
const owned = await db
  .select({ bssid: devices.bssid })
  .from(devices)
  .innerJoin(deviceModels, eq(deviceModels.id, devices.model_id))
  .where(and(eq(devices.vendor_id, owner.user_id), arrayContains(deviceModels.capabilities, ['valve', 'flush'])))
const bssids = owned.map(({ bssid }) => bssid)
let used = 0
/** Returns a device that no other test uses. */
const device = () => bssids[used++]!

interface Change {
  readonly on?: TestServer
  readonly token?: string
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path?: string
  readonly body?: object
}
/** Sends a change with a key; by default it creates a vendor. */
const send = (key: string, { on = one, token = admin, method = 'POST', path = '/vendors', body }: Change) =>
  on.call(method, `/api/v3${path}`, { token, headers: { 'idempotency-key': key }, ...(body ? { body } : {}) })
const flush = (key: string, bssid: string, change: Change = {}) =>
  send(key, { path: '/devices/flush', body: { ids: [bssid] }, ...change })
const vendor = (login: string) => ({
  login,
  password: 'a long password',
  first_name: 'Ada',
  last_name: 'L',
  company_name: 'Lovelace',
  company_address: 'London',
})
const sentTo = (bssid: string) => [...one.link.sent, ...two.link.sent].filter(sent => sent.bssid === bssid).length

/** Makes a device answer late, and returns the function that lets it. */
function holdBack(bssid: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const { link } of [one, two]) link.slow.set(bssid, promise)
  return resolve
}

const runningMessage = 'The first call with this Idempotency-Key is still running'
const otherMessage = expect.stringContaining('was used for another call') as string
const interruptedMessage = expect.stringContaining('it is unknown what it has done') as string

describe('the same call again', () => {
  test('gets the response of the first, on any server, and is done and recorded once', async () => {
    const key = newId()
    const body = vendor('once@example.com')
    const first = await send(key, { body })
    expect(first.statusCode).toBe(200)
    const entries = await db.$count(audit)
    for (const on of [one, two]) {
      const again = await send(key, { on, body })
      expect({ status: again.statusCode, body: again.body }).toEqual({ status: 200, body: first.body })
      expect(again.headers['idempotency-replayed']).toBe('true')
    }
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    expect(await db.$count(accounts, eq(accounts.login, body.login))).toBe(1)
    expect(await db.$count(audit)).toBe(entries)
  })

  test('while the first runs is a 409 with Retry-After, and the device gets one command', async () => {
    const bssid = device()
    const release = holdBack(bssid)
    const key = newId()
    const both = [flush(key, bssid), flush(key, bssid, { on: two })]
    const refused = await Promise.race(both)
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toEqual({ message: runningMessage })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await flush(key, bssid)).statusCode).toBe(409)
    release()
    const answers = await Promise.all(both)
    const first = answers.find(({ statusCode }) => statusCode === 200)!
    expect(first.json()).toMatchObject({ data: { count: 1 } })
    expect((await flush(key, bssid, { on: two })).body).toBe(first.body)
    expect(sentTo(bssid)).toBe(1)
  })

  test('after a refusal gets the same refusal, and the device is not asked again', async () => {
    const bssid = device()
    one.link.refusals.set(bssid, 'The valve is stuck')
    const change = { method: 'PUT', path: `/devices/${bssid}`, body: { valve_closed: true } } as const
    const key = newId()
    expect((await send(key, change)).json()).toEqual({ message: 'The valve is stuck' })
    one.link.refusals.delete(bssid)
    const again = await send(key, { ...change, on: two })
    expect([again.statusCode, again.json()]).toEqual([409, { message: 'The valve is stuck' }])
    expect(sentTo(bssid)).toBe(1)
  })

  test('with another body, endpoint, path or query is a 422', async () => {
    const [bssid, other] = [device(), device()]
    const key = newId()
    await flush(key, bssid)
    const others: Change[] = [
      { path: '/devices/flush', body: { ids: [other] } },
      { path: '/devices/flush', body: { ids: [bssid, other] } },
      { path: '/devices/reboot', body: { ids: [bssid] } },
      { method: 'PUT', path: `/devices/${bssid}`, body: { description: 'x' } },
    ]
    for (const change of others) {
      const answer = await send(key, change)
      expect([answer.statusCode, answer.json()]).toEqual([422, { message: otherMessage }])
    }
    expect([sentTo(bssid), sentTo(other)]).toEqual([1, 0])
  })

  test('by another account is another call', async () => {
    const bssid = device()
    const key = newId()
    expect((await flush(key, bssid)).statusCode).toBe(200)
    const theirs = await flush(key, bssid, { token: owner.access_token })
    expect(theirs.statusCode).toBe(200)
    expect(theirs.headers['idempotency-replayed']).toBeUndefined()
    expect(sentTo(bssid)).toBe(2)
  })

  test('as an upload compares the content of the file', async () => {
    const key = newId()
    const upload = (name: string) =>
      one.app.inject({
        method: 'POST',
        url: '/api/v4/filtration-system-groups/file',
        ...multipart(`name\n${name}`, { 'access-token': admin, 'idempotency-key': key }),
      })
    const first = await upload('Once')
    expect(first.json()).toMatchObject({ data: { created: 1 } })
    expect((await upload('Once')).body).toBe(first.body)
    expect((await upload('Twice')).statusCode).toBe(422)
  })
})

describe('a first call that was interrupted', () => {
  test('is not repeated: after a minute without a sign of it, its key answers that its outcome is unknown', async () => {
    const bssid = device()
    const release = holdBack(bssid)
    const key = newId()
    // As if its server had been killed: it neither renews its lease nor stores a response.
    const first = flush(key, bssid)
    await until(() => expect(sentTo(bssid)).toBe(1))
    two.clock.advance(40_000)
    expect((await flush(key, bssid, { on: two })).json()).toEqual({ message: runningMessage })
    two.clock.advance(21_000)
    const again = await flush(key, bssid, { on: two })
    expect([again.statusCode, again.json()]).toEqual([409, { message: interruptedMessage }])
    expect(again.headers['retry-after']).toBeUndefined()
    expect(sentTo(bssid)).toBe(1)
    // It was only slow: its response is stored nevertheless.
    release()
    const { body } = await first
    expect((await flush(key, bssid, { on: two })).body).toBe(body)
  })

  test('by an unexpected error is not repeated either', async () => {
    const bssid = device()
    const failing = vi.spyOn(one.link, 'send').mockRejectedValueOnce(new Error('out of memory'))
    const key = newId()
    expect((await flush(key, bssid)).statusCode).toBe(500)
    failing.mockRestore()
    expect((await flush(key, bssid)).json()).toEqual({ message: interruptedMessage })
    expect(sentTo(bssid)).toBe(0)
  })
})

describe('a key', () => {
  test.each([
    ['that is empty', ''],
    ['of 256 characters', 'x'.repeat(256)],
    ['with a letter beyond ASCII', 'clé'],
    ['with a tab', 'a\tb'],
  ])('%s is refused, and nothing is done', async (_, key) => {
    const bssid = device()
    const answer = await flush(key, bssid)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: 'The Idempotency-Key must be 1 to 255 printable characters' },
    ])
    expect(sentTo(bssid)).toBe(0)
  })

  test('is not used up by a call that is refused before it starts, nor by a dry run', async () => {
    const bssid = device()
    const key = newId()
    expect((await flush(key, bssid, { body: { ids: [] } })).statusCode).toBe(400)
    expect((await flush(key, bssid, { token: 'none' })).statusCode).toBe(401)
    expect((await flush(key, bssid, { path: '/devices/flush?preview=true' })).statusCode).toBe(200)
    expect((await flush(key, bssid)).json()).toMatchObject({ data: { count: 1 } })
  })

  test('is stored without the key, the call’s secrets and the response’s', async () => {
    const [key, bssid, password] = [newId(), device(), 'a password that nobody guesses']
    const answer = await send(key, { path: `/devices/${bssid}/share` })
    const { code } = answer.json<{ data: { code: string } }>().data
    const again = await send(key, { path: `/devices/${bssid}/share` })
    expect(again.json()).toMatchObject({ data: { code } })
    await send(newId(), { body: { ...vendor('secret@example.com'), password } })
    const stored = JSON.stringify(await db.select().from(idempotencyKeys))
    for (const secret of [key, code, password]) expect(stored).not.toContain(secret)
  })

  test('may be used again after 24 hours, and is removed then', async () => {
    const [bssid, key] = [device(), newId()]
    await flush(key, bssid)
    clock.advance(24 * 3_600_000 + 1)
    const again = { login: 'admin', password: demoPassword }
    const answer = await one.call('POST', '/api/v3/auth/login/dashboard', { body: again })
    const token = answer.json<{ data: { access_token: string } }>().data.access_token
    expect((await flush(key, bssid, { token })).headers['idempotency-replayed']).toBeUndefined()
    expect(sentTo(bssid)).toBe(2)
    expect((await flush(key, bssid, { token })).headers['idempotency-replayed']).toBe('true')
    await pruneIdempotencyKeys(db, clock.now())
    expect(await db.$count(idempotencyKeys)).toBe(1)
  })

  test('is described at /docs, for all changes of a session and only for them', async () => {
    const document = (await one.call('GET', '/docs/json')).json<{
      paths: Record<string, Record<string, { parameters?: { name: string; in: string; required?: boolean }[] }>>
    }>()
    for (const endpoint of endpoints) {
      const { method, path, roles } = endpoint
      const { parameters = [] } = document.paths[path]![method.toLowerCase()]!
      const header = parameters.find(parameter => parameter.in === 'header' && parameter.name === 'idempotency-key')
      expect(header !== undefined, `${method} ${path}`).toBe(
        method !== 'GET' &&
          roles !== 'public' &&
          endpoint !== notifications.markSeen &&
          endpoint !== passkeys.startProof,
      )
      expect(header?.required ?? false).toBe(false)
    }
  })
})
