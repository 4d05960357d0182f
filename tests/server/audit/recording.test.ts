/** What is done is recorded before it is done, whatever becomes of the connection; strangers are counted. */
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { and, asc, eq, gt, max, ne, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { actionOf, type AuditEntry } from '../../../src/api/contract/audit.ts'
import { events as contract } from '../../../src/api/contract/events.ts'
import { msPerHour, msPerMinute } from '../../../src/domain/time.ts'
import { closeEntries } from '../../../server/audit/upkeep.ts'
import { verifyChain } from '../../../server/audit/verify.ts'
import { audit } from '../../../server/db/schema/audit.ts'
import { events } from '../../../server/db/schema/events.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { until } from '../../support/until.ts'
import { startServer } from '../support/harness.ts'
import { deviceValues } from '../../../server/db/schema/deviceValues.ts'

const { app, call, clock, db, link, signIn } = await startServer()
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
const device = (await db.select().from(deviceValues).where(eq(deviceValues.status, 0)).limit(1))[0]!.bssid

/** Signs in again, because the tests move the clock beyond the end of sessions. */
async function tokenOf(login: string): Promise<string> {
  const body = { login, password: demoPassword }
  const answer = await call('POST', '/api/v3/auth/login/dashboard', { body })
  return answer.json<{ data: { access_token: string } }>().data.access_token
}
const lastId = async () => (await db.select({ id: max(audit.id) }).from(audit))[0]!.id ?? 0
/** Returns the entries after `id` as administrators see them, oldest first. */
async function entriesAfter(id: number): Promise<AuditEntry[]> {
  const token = await tokenOf('admin')
  const answer = await call('GET', '/api/v3/audit?sort=at&direction=asc&limit=1000', { token })
  const { data } = answer.json<{ data: { data: AuditEntry[] } }>().data
  return data.filter(entry => Number(entry._id) > id)
}

const [start, end] = ['2031-05-05T08:00:00Z', '2031-05-05T10:00:00Z']
const event = (title: string) => JSON.stringify({ title, description: '', start, end, devices: [device] })

describe('a call', () => {
  test('is in the history before anything is done, and then with its outcome', async () => {
    const token = await tokenOf('admin')
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    link.slow.set(device, answered)
    const before = await lastId()
    const rebooting = call('POST', '/api/v3/devices/reboot', { token, body: { ids: [device, 'gone'] } })
    await until(() => expect(link.sent.at(-1)?.bssid).toBe(device))
    const [begun] = await entriesAfter(before)
    expect(begun).toMatchObject({
      action: 'POST /api/v3/devices/reboot',
      login: 'admin',
      ids: [device, 'gone'],
      address: '127.0.0.1',
      outcome: 'started',
      status: 0,
    })
    answer()
    await rebooting
    link.slow.clear()
    const [ended] = await entriesAfter(before)
    expect(ended).toEqual({
      ...begun,
      outcome: 'partly',
      status: 200,
      done: 1,
      failed: 1,
      message: 'Device not found (1)',
    })
  })

  test('whose entry cannot be written is not done', async () => {
    const token = await tokenOf('admin')
    const before = await db.$count(events)
    await db.execute(sql`alter table audit rename to audit_elsewhere`)
    const answer = await call('POST', contract.create.path, { token, body: JSON.parse(event('Unrecorded')) as object })
    await db.execute(sql`alter table audit_elsewhere rename to audit`)
    expect(answer.statusCode).toBe(500)
    expect(await db.$count(events)).toBe(before)
  })

  test('is recorded if its connection is reset at once', async () => {
    const token = await tokenOf('admin')
    const before = await lastId()
    /** Creates an event and resets the connection, which has been used before or is new. */
    const createAndReset = async (isUsed: boolean) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      await once(socket, 'connect')
      if (isUsed) {
        socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
        await once(socket, 'data')
      }
      const body = event('Reset')
      const headers = [`host: x`, `access-token: ${token}`, 'content-type: application/json']
      const head = [`POST ${contract.create.path} HTTP/1.1`, ...headers, `content-length: ${Buffer.byteLength(body)}`]
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    await Promise.all(Array.from({ length: 40 }, (_, at) => createAndReset(at % 2 === 0)))
    const isCreation = and(gt(audit.id, before), eq(audit.action, actionOf(contract.create)))
    await until(async () => {
      // The server has noticed every reset.
      expect(await new Promise(resolve => app.server.getConnections((_, count) => resolve(count)))).toBe(0)
      const entries = await db.select().from(audit).where(isCreation)
      const done = entries.filter(({ outcome }) => outcome === 'done')
      expect(done).toHaveLength(await db.$count(events, eq(events.title, 'Reset')))
      // Some resets arrive before the request, its turn, or its body: then nothing is done.
      expect(entries.filter(({ outcome }) => outcome !== 'refused')).toEqual(done)
      for (const { address } of entries) expect(address).toBe('127.0.0.1')
    })
  })

  test('is recorded if its connection is reset while it runs', async () => {
    const token = await tokenOf('admin')
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    link.slow.set(device, answered)
    const before = await lastId()
    const sent = link.sent.length
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    const body = JSON.stringify({ ids: [device] })
    const headers = [`host: x`, `access-token: ${token}`, 'content-type: application/json']
    const head = ['POST /api/v3/devices/reboot HTTP/1.1', ...headers, `content-length: ${Buffer.byteLength(body)}`]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    await until(() => expect(link.sent.length).toBe(sent + 1))
    socket.resetAndDestroy()
    answer()
    // Refused requests of the previous test may still be recorded.
    const isReboot = and(gt(audit.id, before), eq(audit.action, 'POST /api/v3/devices/reboot'))
    await until(async () =>
      expect(await db.select().from(audit).where(isReboot)).toMatchObject([
        { ids: [device], outcome: 'done', address: '127.0.0.1' },
      ]),
    )
    link.slow.clear()
  })
})

describe('a call without an outcome', () => {
  test('counts as interrupted after fifteen minutes, or at the start of the only server', async () => {
    const token = await tokenOf('admin')
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    link.slow.set(device, answered)
    const before = await lastId()
    const reboot = () => call('POST', '/api/v3/devices/reboot', { token, body: { ids: [device] } })
    const calls = [reboot(), reboot()]
    const isReboot = and(gt(audit.id, before), eq(audit.action, 'POST /api/v3/devices/reboot'))
    const outcomes = async () =>
      (await db.select().from(audit).where(isReboot).orderBy(asc(audit.id))).map(({ outcome }) => outcome)
    await until(async () => expect(await outcomes()).toEqual(['started', 'started']))
    await closeEntries(db, clock.now())
    expect(await outcomes()).toEqual(['started', 'started'])
    await closeEntries(db, clock.now(), clock.now())
    expect(await outcomes()).toEqual(['interrupted', 'interrupted'])

    calls.push(reboot())
    await until(async () => expect(await outcomes()).toHaveLength(3))
    await closeEntries(db, new Date(clock.now().getTime() + 16 * msPerMinute))
    expect(await outcomes()).toEqual(['interrupted', 'interrupted', 'interrupted'])
    // A server that was only slow still records what came of it.
    answer()
    await Promise.all(calls)
    link.slow.clear()
    expect(await outcomes()).toEqual(['done', 'done', 'done'])
    await verifyChain(db)
  })
})

describe('calls without a session', () => {
  const logIn = (remoteAddress: string, login: string, password = 'wrong') =>
    app.inject({ method: 'POST', url: '/api/v3/auth/login/dashboard', remoteAddress, body: { login, password } })
  const refusals = async (id: number) => (await entriesAfter(id)).filter(({ outcome }) => outcome === 'refused')

  test('are counted by hour and network, with the accounts that were tried', async () => {
    clock.advance(msPerHour)
    const before = await lastId()
    const { user_id: vendor } = await signIn('vendor2')
    await logIn('192.0.2.1', 'vendor2')
    await logIn('::ffff:192.0.2.1', 'vendor2')
    const [one] = await refusals(before)
    const whose = { account: vendor, login: 'vendor2', role: 'vendor' }
    expect(one).toMatchObject({ ...whose, address: '192.0.2.1', ids: [vendor], status: 401, count: 2 })

    // An account without access to the dashboard is a stranger too.
    await logIn('192.0.2.1', 'user@example.com', demoPassword)
    await logIn('192.0.2.1', 'nobody')
    for (let last = 1; last <= 4; last++) await logIn(`2001:db8:1:2::${last}`, 'nobody')
    const mixed = await refusals(before)
    expect(mixed).toMatchObject([
      { account: null, login: null, role: null, address: '192.0.2.1', ids_count: 2, count: 4 },
      { account: null, address: '2001:db8:1:2::/64', ids: [], count: 4 },
    ])
    clock.advance(msPerHour)
    await logIn('192.0.2.1', 'vendor2')
    expect(await refusals(before)).toMatchObject([...mixed, { ...whose, count: 1 }])
  })

  test('at the same moment are all counted', async () => {
    clock.advance(msPerHour)
    const before = await lastId()
    await Promise.all(Array.from({ length: 30 }, (_, at) => logIn('192.0.2.7', `nobody ${at}`)))
    expect(await refusals(before)).toMatchObject([{ address: '192.0.2.7', count: 30 }])
  })

  test('are closed and linked once their hour is over', async () => {
    // More than an hour: a call may still be recorded shortly after its hour, so entries are closed later.
    clock.advance(msPerHour + 2 * msPerMinute)
    await logIn('192.0.2.1', 'nobody')
    const open = async () => (await verifyChain(db)).counting
    const all = await open()
    expect(all).toBeGreaterThan(1)
    await closeEntries(db, clock.now())
    expect(await open()).toBe(1)
    clock.advance(msPerHour + 2 * msPerMinute)
    await closeEntries(db, clock.now())
    expect(await open()).toBe(0)
    const { rows } = await db.execute(sql`select 1 from audit join audit_links on entry = audit.id
      where count is not null and kind <> 'entry'`)
    expect(rows).toEqual([])
    const linked = and(ne(audit.count, 0), sql`exists (select from audit_links where entry = audit.id)`)
    expect(await db.$count(audit, linked)).toBe(all)
  })

  test('have entries of their own once the account has proved itself', async () => {
    const before = await lastId()
    await logIn('192.0.2.1', 'vendor', demoPassword)
    await logIn('192.0.2.1', 'vendor', demoPassword)
    const signedIn = (await entriesAfter(before)).slice(0, 2)
    for (const entry of signedIn) expect(entry).toMatchObject({ login: 'vendor', outcome: 'done', count: null })
  })
})
