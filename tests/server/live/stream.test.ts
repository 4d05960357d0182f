/** The live stream: which events each account receives, how often, and when the stream ends. */
import { request as httpRequest } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { asc, eq } from 'drizzle-orm'
import { createParser } from 'eventsource-parser'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { apiKeys } from '../../../src/api/contract/apiKeys.ts'
import type { Device } from '../../../src/api/contract/devices.ts'
import { stream as contract, type StreamEvents } from '../../../src/api/contract/stream.ts'
import { localBus } from '../../../server/bus/bus.ts'
import { startSession } from '../../../server/auth/sessions.ts'
import { newId } from '../../../server/db/id.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { notifications } from '../../../server/db/schema/notifications.ts'
import type { Call, Caller } from '../../../server/endpoints/handler.ts'
import { encodeEvent } from '../../../server/live/events.ts'
import { openLive } from '../../../server/live/live.ts'
import { openReader } from '../../../server/live/reader.ts'
import { startServer, type TestServer } from '../support/harness.ts'
import { dataOf, password } from '../support/accounts/signIns.ts'
import { sendFile } from '../support/calls/sendFile.ts'
import { listen } from '../support/calls/streamReader.ts'
import { until } from '../../support/until.ts'
import { setStatus } from '../support/devices/deviceRows.ts'

const server = await startServer({ intervals: { pingInterval: 100, flushInterval: 50 } })
const { alarms, db, bus, link, call, signIn } = server
/** Another server, which the tests end. */
const defaultServer = await startServer({ intervals: { pingInterval: 100 } })
let url: string
let defaultUrl: string
beforeAll(async () => {
  url = await startListening(server)
  defaultUrl = await startListening(defaultServer)
})

async function startListening({ app: one }: TestServer): Promise<string> {
  await one.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(one.server.address() as AddressInfo).port}`
}

const tokenOf = async (login: string) => (await signIn(login)).access_token
/** Starts a session that the test may end, and returns its access token. */
async function sessionOf(login: string, on = server): Promise<string> {
  const [account] = await on.db.select().from(accounts).where(eq(accounts.login, login))
  return (await startSession(on.db, { id: account!.id, role: account!.role as 'admin' }, on.clock.now())).access_token
}
const listenAs = async (login: string) => listen(url, await tokenOf(login))

async function devicesOf(login: string): Promise<string[]> {
  const rows = await db
    .select({ bssid: devices.bssid })
    .from(devices)
    .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
    .where(eq(accounts.login, login))
    .orderBy(asc(devices.bssid))
  return rows.map(({ bssid }) => bssid)
}

/** Describes a device by a call, as another console does. */
const describeDevice = async (bssid: string, description: string, login = 'admin') => {
  const answer = await call('PUT', `/api/v3/devices/${bssid}`, { token: await tokenOf(login), body: { description } })
  expect(answer.statusCode, answer.body).toBe(200)
}
/** Waits until all changes so far have been sent. */
async function flushChanges() {
  const { of } = await listenAs('admin')
  // No other test changes events.
  bus.publish({ kind: 'resources', names: ['events'] })
  await until(() => expect(of('changed').at(-1)?.resources).toContain('events'))
}
beforeEach(flushChanges)

/** Opens a stream of an administrator with the default intervals and a bus of its own, on a clock that the test advances. */
async function openOnFakeClock() {
  const changes = localBus()
  const onError = vi.fn<(error: unknown) => void>()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const live = openLive({ db, bus: changes, onError })
  onTestFinished(() => {
    live.close()
    vi.useRealTimers()
    expect(onError).not.toHaveBeenCalled()
  })
  const caller: Caller = { account: newId(), login: 'admin', role: 'admin', vendor: null, session: newId() }
  const call = { caller, address: '127.0.0.1', isStillAuthorized: async () => true } as Call
  const received: { readonly at: number; readonly rows: readonly Device[] }[] = []
  const parser = createParser({
    onEvent({ event, data }) {
      if (event !== 'devices') return
      const { devices: rows } = JSON.parse(data) as StreamEvents['devices']
      received.push({ at: performance.now(), rows })
    },
  })
  const stream = (await live.handler.handle(call)) as Readable
  stream.on('data', (chunk: Buffer) => parser.feed(chunk.toString()))
  return {
    changes,
    /** Returns the `devices` events so far, with the time of each on the clock. */
    receive: () => received,
    async advance(milliseconds: number) {
      vi.advanceTimersByTime(milliseconds)
      // What has been sent by now is received at this time.
      await setImmediate()
    },
  }
}

const bssidsIn = (events: readonly { devices: readonly Device[] }[]) =>
  events.flatMap(event => event.devices.map(({ bssid }) => bssid))

test('begins with a ping and goes on with one at each interval', async () => {
  const { response, of } = await listenAs('vendor')
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
  await until(() => expect(of('ping').length).toBeGreaterThan(2))
})

test('every event is valid in the contract', async () => {
  const { received } = await listenAs('admin')
  const [bssid] = await devicesOf('vendor')
  await describeDevice(bssid!, 'In the kitchen')
  bus.publish({ kind: 'resources', names: ['vendors'] })
  bus.publish({ kind: 'seen', accounts: [(await signIn('admin')).user_id] })
  await until(() =>
    expect(received.map(({ event }) => event)).toEqual(expect.arrayContaining(['devices', 'changed', 'seen'])),
  )
  for (const { event, data } of received)
    expect(z.safeParse(contract.open.response, { event, data }).error?.issues).toBeUndefined()
})

describe('a device that changes', () => {
  test('is sent as in the list, to administrators and its own vendor only', async () => {
    const [[own], [foreign]] = await Promise.all([devicesOf('vendor'), devicesOf('vendor2')])
    const admin = await listenAs('admin')
    const vendor = await listenAs('vendor')
    const other = await listenAs('vendor2')
    await describeDevice(own!, 'The one')
    await describeDevice(foreign!, 'The other')

    await until(() => expect(bssidsIn(admin.of('devices')).toSorted()).toEqual([own!, foreign!].toSorted()))
    await until(() => expect(bssidsIn(vendor.of('devices'))).toEqual([own]))
    await until(() => expect(bssidsIn(other.of('devices'))).toEqual([foreign]))

    const list = await call('GET', `/api/v3/devices?operator=eq&search=${own}`, { token: await tokenOf('vendor') })
    expect(vendor.of('devices')[0]!.devices).toEqual(list.json<{ data: { data: Device[] } }>().data.data)
    // The next event shows that nothing of the other vendor was sent in between.
    await describeDevice(own!, 'The one again')
    await until(() => expect(bssidsIn(vendor.of('devices'))).toEqual([own, own]))
    expect(JSON.stringify(vendor.received)).not.toContain(foreign)
    expect(JSON.stringify(other.received)).not.toContain(own)
  })

  test('200 times in two seconds is sent at most once a second, finally with its last values', async () => {
    const [changing, ...rest] = await devicesOf('vendor')
    const { changes, receive, advance } = await openOnFakeClock()
    for (let time = 1; time <= 200; time++) {
      await db
        .update(devices)
        .set({ description: `Change ${time}` })
        .where(eq(devices.bssid, changing!))
      changes.publish({ kind: 'devices', bssids: [changing!, rest[time % rest.length]!] })
      await advance(10)
    }
    const last = () => receive().findLast(({ rows }) => rows.some(({ bssid }) => bssid === changing))
    const descriptionIn = (rows: readonly Device[]) => rows.find(({ bssid }) => bssid === changing)?.description
    await until(async () => {
      await advance(10)
      expect(descriptionIn(last()?.rows ?? [])).toBe('Change 200')
    })
    const batches = receive()
    expect(batches.length).toBeGreaterThan(1)
    for (const [index, { at }] of batches.entries())
      if (index > 0) expect(at - batches[index - 1]!.at).toBeGreaterThanOrEqual(1000)
    for (const { rows } of batches) expect(new Set(rows.map(({ bssid }) => bssid)).size).toBe(rows.length)
  })

  test('by a bulk call is sent only if the call succeeded for it', async () => {
    const [refusing, ...obeying] = (await devicesOf('vendor')).slice(0, 4)
    link.refusals.set(refusing!, 'No')
    onTestFinished(() => link.refusals.clear())
    await setStatus(db, 0)
    await db.update(devices).set({ locked: false })
    const { of } = await listenAs('admin')
    const ids = [refusing!, ...obeying]
    const answer = await call('PUT', '/api/v3/devices/lock', {
      token: await tokenOf('vendor'),
      body: { ids, locked: true },
    })
    const failed = answer.json<{ data: { failed: { id: string }[] } }>().data.failed.map(({ id }) => id)
    expect(failed).toContain(refusing)
    const done = ids.filter(id => !failed.includes(id))
    expect(done.length).toBeGreaterThan(0)
    await until(() => expect(bssidsIn(of('devices')).toSorted()).toEqual(done.toSorted()))
    for (const event of of('devices')) for (const row of event.devices) expect(row.locked).toBe(true)
  })
})

describe('changes that are not sent row by row', () => {
  test.each([
    ['created devices', 'vendor', ['devices', 'health'], ['audit'], async () => uploadDevices(1)],
    [
      'a renamed vendor',
      'vendor2',
      ['vendors', 'devices', 'filtration-systems'],
      ['audit'],
      async () => {
        const [vendor] = await db.select().from(accounts).where(eq(accounts.login, 'vendor2'))
        const body = { company_name: 'Another Name Oy' }
        const answer = await call('PATCH', `/api/v3/vendors/${vendor!.id}`, { token: await tokenOf('admin'), body })
        expect(answer.statusCode, answer.body).toBe(200)
      },
    ],
  ])(
    '%s: consoles that see the rows receive an event to reload the lists',
    async (_, login, resources, forAdmins, change) => {
      const vendor = await listenAs(login)
      const admin = await listenAs('admin')
      await change()
      await until(() => expect(vendor.of('changed')).toEqual([{ resources }]))
      await until(() => expect(admin.of('changed')).toEqual([{ resources: [...resources, ...forAdmins] }]))
    },
  )

  test('more rows than a console shows: other vendors receive nothing', async () => {
    const made = await uploadDevices(1_050)
    await flushChanges()
    const [own] = await devicesOf('vendor2')
    const admin = await listenAs('admin')
    const other = await listenAs('vendor2')
    bus.publish({ kind: 'devices', bssids: [...made, own!] })
    await until(() => expect(admin.of('changed')).toEqual([{ resources: ['devices'] }]))
    await until(() => expect(bssidsIn(other.of('devices'))).toEqual([own]))
    expect(admin.of('devices')).toEqual([])
    expect(other.of('changed')).toEqual([])
  })

  test('more changes than a batch reads: only the vendors of the changed devices reload', async () => {
    const [own] = await devicesOf('vendor2')
    const [admin, vendor, other] = [await listenAs('admin'), await listenAs('vendor2'), await listenAs('vendor')]
    bus.publish({ kind: 'devices', bssids: [own!, ...Array.from({ length: 20_000 }, (_, at) => String(at))] })
    await until(() => expect(vendor.of('changed')).toEqual([{ resources: ['devices'] }]))
    await until(() => expect(admin.of('changed')).toEqual([{ resources: ['devices'] }]))
    // The next event for everyone shows that no other was sent.
    bus.publish({ kind: 'resources', names: ['events'] })
    await until(() => expect(other.of('changed')).toEqual([{ resources: ['events'] }]))
  })

  test('a missed event: everything is to be reloaded', async () => {
    const { of } = await listenAs('admin')
    bus.publish({ kind: 'missed' })
    await until(() => expect(of('changed').flatMap(({ resources }) => resources)).toContain('vendors'))
    expect(of('changed')[0]!.resources).toEqual(expect.arrayContaining(['devices', 'notifications', 'events']))
  })
})

describe('changes for some accounts only', () => {
  test('a created or deleted event is sent to administrators and the vendors of its devices', async () => {
    const [[own], [other]] = await Promise.all([devicesOf('vendor'), devicesOf('vendor2')])
    const [admin, vendor, uninvolved] = [await listenAs('admin'), await listenAs('vendor'), await listenAs('vendor3')]
    const expected = { resources: ['events'] }
    const body = { title: 'Visit', description: '', start: '2031-05-05T08:00:00Z', end: '2031-05-05T09:00:00Z' }
    const answer = await call('POST', '/api/v3/events', {
      token: await tokenOf('admin'),
      body: { ...body, devices: [own, other] },
    })
    await until(() => expect(vendor.of('changed')).toEqual([expected]))
    await until(() => expect(admin.of('changed').flatMap(({ resources }) => resources)).toContain('events'))
    const id = answer.json<{ data: { _id: string } }>().data._id
    expect((await call('DELETE', `/api/v3/events/${id}`, { token: await tokenOf('vendor') })).statusCode).toBe(200)
    await until(() => expect(vendor.of('changed')).toEqual([expected, expected]))
    // The next event for everyone shows that no other was sent.
    bus.publish({ kind: 'resources', names: ['notifications'] })
    await until(() => expect(uninvolved.of('changed')).toEqual([{ resources: ['notifications'] }]))
  })

  test('seen notifications are sent to the account’s own streams, once', async () => {
    const [mine, another] = [await listenAs('vendor'), await listenAs('admin')]
    const body = { until: server.clock.now().toISOString() }
    for (let time = 0; time < 2; time++)
      await call('PUT', '/api/v3/notifications/seen', { token: await tokenOf('vendor'), body })
    await until(() => expect(mine.of('seen')).toEqual([{}]))
    // The next event for everyone shows that no list was to be reloaded.
    const next = [{ resources: ['events'] }]
    bus.publish({ kind: 'resources', names: ['events'] })
    await until(() => expect(another.of('changed')).toEqual(next))
    await until(() => expect(mine.of('changed')).toEqual(next))
    expect([mine.of('seen').length, another.of('seen').length]).toEqual([1, 0])
  })

  test('after devices were deleted, their events and notifications are to be reloaded too', async () => {
    const [deleted] = (await devicesOf('vendor2')).slice(-1)
    const { of } = await listenAs('vendor2')
    await call('DELETE', '/api/v3/devices', { token: await tokenOf('vendor2'), body: { ids: [deleted] } })
    await until(() => expect(of('changed')).toEqual([{ resources: ['devices', 'events', 'notifications'] }]))
  })
})

let serial = 0
async function uploadDevices(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => {
    const digits = (0x6b_00_00_00_00_00 + serial++).toString(16).toUpperCase()
    return digits.match(/../g)!.join(':')
  })
  const lines = ids.map(id => `${id},esp32,RO-400 Home,,vendor,Made for a test`)
  const file = ['bssid,platform,model,filtration_system,vendor,description', ...lines].join('\n')
  const answer = await sendFile(call, '/api/v3/devices/file', await tokenOf('admin'), file)
  expect(answer.status).toBe(200)
  return ids
}

test('notifications are sent to accounts that may see the device', async () => {
  const [[own], [foreign]] = await Promise.all([devicesOf('vendor'), devicesOf('vendor2')])
  const admin = await listenAs('admin')
  const vendor = await listenAs('vendor')
  const other = await listenAs('vendor2')
  const vendorOf = async (login: string) => (await db.select().from(accounts).where(eq(accounts.login, login)))[0]!.id
  const owners = [await vendorOf('vendor'), await vendorOf('vendor2')]
  const made = [own!, foreign!].map((bssid, at) => ({
    id: newId(),
    bssid,
    vendor_id: owners[at]!,
    type: 'battery_low' as const,
    created_at: new Date(Date.UTC(2026, 0, 1, 0, at)),
    values: { level: 19 },
  }))
  await db.insert(notifications).values(made)
  bus.publish({ kind: 'notifications', ids: made.map(({ id }) => id) })
  const expected = made.map(({ id, bssid, type, created_at, values }) => ({
    _id: id,
    type,
    device: { bssid, description: expect.any(String) as string, company_name: expect.any(String) as string },
    created_at: created_at.toISOString(),
    values,
  }))
  await until(() => expect(admin.of('notifications')).toEqual([{ notifications: expected.toReversed() }]))
  await until(() => expect(vendor.of('notifications')).toEqual([{ notifications: [expected[0]] }]))
  await until(() => expect(other.of('notifications')).toEqual([{ notifications: [expected[1]] }]))
})

test('notifications of an incident are to be reloaded, because they change rows that consoles have', async () => {
  const bssids = (await devicesOf('vendor')).slice(0, 5)
  const [single] = await devicesOf('vendor2')
  const [admin, vendor, other] = [await listenAs('admin'), await listenAs('vendor'), await listenAs('vendor2')]
  await alarms.recordEvent(db, 'firmware_updated', [...bssids, single!], { version: '9.9.9' })
  await until(() => expect(vendor.of('changed')).toEqual([{ resources: ['notifications'] }]))
  await until(() => expect(admin.of('changed')).toEqual([{ resources: ['notifications'] }]))
  await until(() => expect(other.of('notifications')).toHaveLength(1))
  expect(admin.of('notifications')).toMatchObject([{ notifications: [{ device: { bssid: single } }] }])
  expect([vendor.of('notifications'), other.of('changed')]).toEqual([[], []])
})

test('progress is sent during a call to the account that made it', async () => {
  await setStatus(db, 0)
  const ids = (await devicesOf('vendor')).slice(0, 60)
  const mine = await listenAs('vendor')
  const another = await listenAs('admin')
  let release: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const slow = new Set(ids.slice(10))
  vi.spyOn(link, 'send').mockImplementation(async bssid => {
    if (slow.has(bssid)) await held
    return bssid === ids[0] ? { ok: false, reason: 'No' } : { ok: true }
  })
  onTestFinished(() => void vi.restoreAllMocks())

  const answer = call('POST', '/api/v3/devices/reboot', {
    token: await tokenOf('vendor'),
    body: { ids },
    headers: { 'progress-id': 'my-call_1' },
  })
  const soFar = { id: 'my-call_1', done: 9, failed: 1, total: ids.length }
  await until(() => expect(mine.of('progress')).toEqual([soFar]))
  release()
  expect((await answer).statusCode).toBe(200)
  expect(another.of('progress')).toEqual([])

  const wrong = await call('POST', '/api/v3/devices/reboot', {
    token: await tokenOf('vendor'),
    body: { ids },
    headers: { 'progress-id': 'x'.repeat(65) },
  })
  expect(wrong.statusCode).toBe(400)
})

test('progress of an administrator’s calls is not sent to a key that is limited to a vendor', async () => {
  const { access_token: token, user_id: account } = await signIn('admin')
  const vendor = (await signIn('vendor')).user_id
  const body = { name: 'Limited', scope: 'read', days: 7, vendor, ...password }
  const { key } = dataOf<{ key: string }>(await call('POST', apiKeys.create.path, { token, body }))
  const [admin, limited] = [await listenAs('admin'), await listen(url, '', { authorization: `Bearer ${key}` })]
  const counts = { done: 1, failed: 0, total: 2 }
  bus.publish({ kind: 'progress', account, vendor: null, id: 'of the person', ...counts })
  bus.publish({ kind: 'progress', account, vendor, id: 'of the key', ...counts })
  await until(() => expect(limited.of('progress')).toEqual([{ id: 'of the key', ...counts }]))
  expect(admin.of('progress')).toEqual([{ id: 'of the person', ...counts }])
})

describe('the stream ends', () => {
  test('when its session is signed out', async () => {
    const token = await sessionOf('vendor')
    const { ended } = await listen(url, token)
    await call('POST', '/api/v3/auth/logout', { token })
    await ended
  })

  test('when its account is blocked, while others continue', async () => {
    const stays = await listenAs('admin')
    const { ended } = await listen(url, await sessionOf('vendor2'))
    await db.update(accounts).set({ blocked: true }).where(eq(accounts.login, 'vendor2'))
    await ended
    await db.update(accounts).set({ blocked: false }).where(eq(accounts.login, 'vendor2'))
    const pings = stays.of('ping').length
    await until(() => expect(stays.of('ping').length).toBeGreaterThan(pings))
  })

  test('when the access token expires', async () => {
    const { ended } = await listen(defaultUrl, await sessionOf('admin', defaultServer))
    defaultServer.clock.advance(16 * 60_000)
    await ended
  })

  test('when the server stops, also for a client that reads nothing', async () => {
    const token = await sessionOf('admin', defaultServer)
    const { ended, of } = await listen(defaultUrl, token)
    const deaf = httpRequest(defaultUrl + contract.open.path, { headers: { 'access-token': token } })
    deaf.end()
    await new Promise(resolve => deaf.once('response', resolve))
    // Browsers open connections before they need them.
    const unused = connect(Number(new URL(defaultUrl).port), '127.0.0.1')
    await new Promise<void>(resolve => unused.once('connect', resolve))
    await until(() => expect(of('ping').length).toBeGreaterThan(0))
    const closed = [deaf, unused].map(each => new Promise(resolve => each.once('close', resolve)))
    // An open connection would block this.
    await defaultServer.app.close()
    await ended
    await Promise.all(closed)
  })
})

describe('the stream is refused', () => {
  test.each([
    ['without a session', 401, ''],
    ['to a superadmin', 403, 'superadmin'],
  ])('%s', async (_, status, login) => {
    const { response } = await listen(url, login && (await tokenOf(login)))
    expect(response.status).toBe(status)
  })

  test('to an account with twenty open streams, until one is closed', async () => {
    const token = await sessionOf('vendor2')
    const open = await Promise.all(Array.from({ length: 20 }, () => listen(url, token)))
    for (const { response } of open) expect(response.status).toBe(200)
    const { response } = await listen(url, token)
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await listen(url, await tokenOf('admin'))).response.status).toBe(200)
    await call('POST', '/api/v3/auth/logout', { token })
    await Promise.all(open.map(({ ended }) => ended))
    expect((await listen(url, await sessionOf('vendor2'))).response.status).toBe(200)
  })

  test('to HEAD, which would never end', async () => {
    const answer = await call('HEAD', contract.open.path, { token: await tokenOf('admin') })
    expect(answer.statusCode).toBe(404)
  })
})

describe('a client that reads nothing', () => {
  const large = encodeEvent('changed', { resources: ['x'.repeat(100_000)] })

  test('has one message buffered, and is told afterwards what to reload', () => {
    const { stream, send } = openReader(() => undefined)
    send(large, ['devices'])
    for (let time = 0; time < 1000; time++) send(large, time % 2 === 0 ? ['devices'] : ['notifications'])
    expect(stream.readableLength).toBeLessThan(2 * large.length)
    const texts: string[] = []
    stream.on('data', (chunk: Buffer) => texts.push(chunk.toString()))
    return until(() => {
      const [first, rest] = [texts.join('').indexOf('x'), texts.join('').split('event: ').slice(3)]
      expect(first).toBeGreaterThan(0)
      expect(rest).toEqual(['changed\ndata: {"resources":["devices","notifications"]}\n\n'])
    })
  })

  test('is dropped after some pings', async () => {
    const closed = vi.fn<() => void>()
    const { stream, send, ping } = openReader(closed)
    send(large, [])
    for (let time = 0; time < 10; time++) ping()
    await until(() => expect(closed).toHaveBeenCalledOnce())
    expect(stream.destroyed).toBe(true)
  })
})
