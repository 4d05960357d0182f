/** The stream: who hears what, how often, and when it ends. */
import { request as httpRequest } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { asc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { Device } from '../../../src/api/contract/devices.ts'
import { stream as contract } from '../../../src/api/contract/stream.ts'
import { startSession } from '../../../server/auth/sessions.ts'
import { newId } from '../../../server/db/id.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { notifications } from '../../../server/db/schema/notifications.ts'
import { eventText } from '../../../server/live/events.ts'
import { openReader } from '../../../server/live/reader.ts'
import { startServer, type TestServer } from '../support/harness.ts'
import { sendFile } from '../support/sendFile.ts'
import { listen } from '../support/streamReader.ts'
import { until } from '../../support/until.ts'

const server = await startServer({ intervals: { pingInterval: 100, flushInterval: 50 } })
const { db, bus, link, call, signIn } = server
/** As it tells in earnest, at most once a second. */
const usual = await startServer({ intervals: { pingInterval: 100 } })
let url: string
let usualUrl: string
beforeAll(async () => {
  url = await listening(server)
  usualUrl = await listening(usual)
})

async function listening({ app: one }: TestServer): Promise<string> {
  await one.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(one.server.address() as AddressInfo).port}`
}

const tokenOf = async (login: string) => (await signIn(login)).access_token
/** A session that the test may end. */
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
/** What has changed so far is told before anyone else listens. */
async function allTold() {
  const { of } = await listenAs('admin')
  // Of these nothing is changed here.
  bus.publish({ kind: 'resources', names: ['events'] })
  await until(() => expect(of('changed').at(-1)?.resources).toContain('events'))
}
beforeEach(allTold)

const bssidsIn = (events: readonly { devices: readonly Device[] }[]) =>
  events.flatMap(event => event.devices.map(({ bssid }) => bssid))

test('begins with a ping and goes on with one at each interval', async () => {
  const { response, of } = await listenAs('vendor')
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
  await until(() => expect(of('ping').length).toBeGreaterThan(2))
})

test('every event is as the contract says', async () => {
  const { heard } = await listenAs('admin')
  const [bssid] = await devicesOf('vendor')
  await describeDevice(bssid!, 'In the kitchen')
  bus.publish({ kind: 'resources', names: ['vendors'] })
  bus.publish({ kind: 'seen', accounts: [(await signIn('admin')).user_id] })
  await until(() =>
    expect(heard.map(({ event }) => event)).toEqual(expect.arrayContaining(['devices', 'changed', 'seen'])),
  )
  for (const { event, data } of heard)
    expect(z.safeParse(contract.open.answer, { event, data }).error?.issues).toBeUndefined()
})

describe('a device that changes', () => {
  test('is told as the list has it, to administrators and to its own vendor only', async () => {
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
    // What comes next is all that came: nothing of the other vendor's in between.
    await describeDevice(own!, 'The one again')
    await until(() => expect(bssidsIn(vendor.of('devices'))).toEqual([own, own]))
    expect(JSON.stringify(vendor.heard)).not.toContain(foreign)
    expect(JSON.stringify(other.heard)).not.toContain(own)
  })

  test('200 times in a second is told at most once a second, the last time with its last values', async () => {
    const [changing, ...rest] = await devicesOf('vendor')
    const { heard, of } = await listen(usualUrl, await sessionOf('admin', usual))
    await until(() => expect(of('ping').length).toBeGreaterThan(0))
    const from = performance.now()
    for (let time = 1; time <= 200; time++) {
      await usual.db
        .update(devices)
        .set({ description: `Change ${time}` })
        .where(eq(devices.bssid, changing!))
      usual.bus.publish({ kind: 'devices', bssids: [changing!, rest[time % rest.length]!] })
    }
    const last = () => of('devices').findLast(event => event.devices.some(({ bssid }) => bssid === changing))
    await until(() => expect(last()?.devices.find(({ bssid }) => bssid === changing)?.description).toBe('Change 200'))
    const times = heard.flatMap(({ event, at }) => (event === 'devices' ? [at] : []))
    expect(times.length).toBeLessThanOrEqual(Math.ceil((performance.now() - from) / 1000) + 1)
    for (const [at, time] of times.entries()) if (at > 0) expect(time - times[at - 1]!).toBeGreaterThan(900)
    for (const { devices: rows } of of('devices'))
      expect(new Set(rows.map(({ bssid }) => bssid)).size).toBe(rows.length)
  })

  test('by a call on many: those that did it, and no others', async () => {
    const [refusing, ...obeying] = (await devicesOf('vendor')).slice(0, 4)
    link.refusals.set(refusing!, 'No')
    onTestFinished(() => link.refusals.clear())
    await db.update(devices).set({ status: 0, locked: false })
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

describe('what is not told row by row', () => {
  test.each([
    ['devices made', ['devices'], ['audit'], async () => uploadDevices(1)],
    [
      'a renamed vendor',
      ['vendors', 'devices', 'filtration-systems'],
      ['audit'],
      async () => {
        const [vendor] = await db.select().from(accounts).where(eq(accounts.login, 'vendor2'))
        const body = { company_name: 'Another Name Oy' }
        const answer = await call('PATCH', `/api/v3/vendors/${vendor!.id}`, { token: await tokenOf('admin'), body })
        expect(answer.statusCode, answer.body).toBe(200)
      },
    ],
  ])('%s: lists are to be read again, by those who can read them', async (_, resources, forAdmins, change) => {
    const vendor = await listenAs('vendor')
    const admin = await listenAs('admin')
    await change()
    await until(() => expect(vendor.of('changed')).toEqual([{ resources }]))
    await until(() => expect(admin.of('changed')).toEqual([{ resources: [...resources, ...forAdmins] }]))
  })

  test('more rows than a console shows: vendors that they are not of hear nothing of them', async () => {
    const made = await uploadDevices(1_050)
    await allTold()
    const [own] = await devicesOf('vendor2')
    const admin = await listenAs('admin')
    const other = await listenAs('vendor2')
    bus.publish({ kind: 'devices', bssids: [...made, own!] })
    await until(() => expect(admin.of('changed')).toEqual([{ resources: ['devices'] }]))
    await until(() => expect(bssidsIn(other.of('devices'))).toEqual([own]))
    expect(admin.of('devices')).toEqual([])
    expect(other.of('changed')).toEqual([])
  })

  test('after something was missed everything is to be read again', async () => {
    const { of } = await listenAs('admin')
    bus.publish({ kind: 'missed' })
    await until(() => expect(of('changed').flatMap(({ resources }) => resources)).toContain('vendors'))
    expect(of('changed')[0]!.resources).toEqual(expect.arrayContaining(['devices', 'notifications', 'events']))
  })
})

describe('what is somebody’s business only', () => {
  test('an event: told to administrators and to the vendors of its devices, when it comes and when it goes', async () => {
    const [[own], [other]] = await Promise.all([devicesOf('vendor'), devicesOf('vendor2')])
    const [admin, vendor, uninvolved] = [await listenAs('admin'), await listenAs('vendor'), await listenAs('vendor3')]
    const told = { resources: ['events'] }
    const body = { title: 'Visit', description: '', start: '2031-05-05T08:00:00Z', end: '2031-05-05T09:00:00Z' }
    const answer = await call('POST', '/api/v3/events', {
      token: await tokenOf('admin'),
      body: { ...body, devices: [own, other] },
    })
    await until(() => expect(vendor.of('changed')).toEqual([told]))
    await until(() => expect(admin.of('changed').flatMap(({ resources }) => resources)).toContain('events'))
    const id = answer.json<{ data: { _id: string } }>().data._id
    expect((await call('DELETE', `/api/v3/events/${id}`, { token: await tokenOf('vendor') })).statusCode).toBe(200)
    await until(() => expect(vendor.of('changed')).toEqual([told, told]))
    // What comes next for everyone is all that came.
    bus.publish({ kind: 'resources', names: ['notifications'] })
    await until(() => expect(uninvolved.of('changed')).toEqual([{ resources: ['notifications'] }]))
  })

  test('that notifications were seen: told to the account’s own streams, and once', async () => {
    const [mine, another] = [await listenAs('vendor'), await listenAs('admin')]
    const body = { until: server.clock.now().toISOString() }
    for (let time = 0; time < 2; time++)
      await call('PUT', '/api/v3/notifications/seen', { token: await tokenOf('vendor'), body })
    await until(() => expect(mine.of('seen')).toEqual([{}]))
    // What comes next for everyone is all that came: nothing they show is to be read again.
    const next = [{ resources: ['events'] }]
    bus.publish({ kind: 'resources', names: ['events'] })
    await until(() => expect(another.of('changed')).toEqual(next))
    await until(() => expect(mine.of('changed')).toEqual(next))
    expect([mine.of('seen').length, another.of('seen').length]).toEqual([1, 0])
  })

  test('devices that are deleted: what was about them is to be read again too', async () => {
    const [gone] = (await devicesOf('vendor2')).slice(-1)
    const { of } = await listenAs('vendor2')
    await call('DELETE', '/api/v3/devices', { token: await tokenOf('vendor2'), body: { ids: [gone] } })
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

test('notifications are told to those who may see the device', async () => {
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
  const told = made.map(({ id, bssid, type, created_at, values }) => ({
    _id: id,
    type,
    device: { bssid, description: expect.any(String) as string, company_name: expect.any(String) as string },
    created_at: created_at.toISOString(),
    values,
  }))
  await until(() => expect(admin.of('notifications')).toEqual([{ notifications: told.toReversed() }]))
  await until(() => expect(vendor.of('notifications')).toEqual([{ notifications: [told[0]] }]))
  await until(() => expect(other.of('notifications')).toEqual([{ notifications: [told[1]] }]))
})

test('progress is told while the call goes on, to the account that made it', async () => {
  await db.update(devices).set({ status: 0 })
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

describe('the stream ends', () => {
  test('when its session is left', async () => {
    const token = await sessionOf('vendor')
    const { ended } = await listen(url, token)
    await call('POST', '/api/v3/auth/logout', { token })
    await ended
  })

  test('when the account is blocked; another’s goes on', async () => {
    const stays = await listenAs('admin')
    const { ended } = await listen(url, await sessionOf('vendor2'))
    await db.update(accounts).set({ blocked: true }).where(eq(accounts.login, 'vendor2'))
    await ended
    await db.update(accounts).set({ blocked: false }).where(eq(accounts.login, 'vendor2'))
    const pings = stays.of('ping').length
    await until(() => expect(stays.of('ping').length).toBeGreaterThan(pings))
  })

  test('when the access token expires', async () => {
    const { ended } = await listen(usualUrl, await sessionOf('admin', usual))
    usual.clock.advance(16 * 60_000)
    await ended
  })

  test('when the server stops, also for a reader that reads nothing', async () => {
    const token = await sessionOf('admin', usual)
    const { ended, of } = await listen(usualUrl, token)
    const deaf = httpRequest(usualUrl + contract.open.path, { headers: { 'access-token': token } })
    deaf.end()
    await new Promise(resolve => deaf.once('response', resolve))
    // A browser opens connections ahead of what it asks.
    const unused = connect(Number(new URL(usualUrl).port), '127.0.0.1')
    await new Promise<void>(resolve => unused.once('connect', resolve))
    await until(() => expect(of('ping').length).toBeGreaterThan(0))
    const closed = [deaf, unused].map(each => new Promise(resolve => each.once('close', resolve)))
    // Any connection that were left open would keep this waiting.
    await usual.app.close()
    await ended
    await Promise.all(closed)
  })
})

describe('is refused', () => {
  test.each([
    ['without a session', 401, ''],
    ['to a superadmin', 403, 'superadmin'],
  ])('%s', async (_, status, login) => {
    const { response } = await listen(url, login && (await tokenOf(login)))
    expect(response.status).toBe(status)
  })

  test('an account that has twenty open, until one of them is closed', async () => {
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

  test('to HEAD, which would read it for ever', async () => {
    const answer = await call('HEAD', contract.open.path, { token: await tokenOf('admin') })
    expect(answer.statusCode).toBe(404)
  })
})

describe('a reader that takes nothing', () => {
  const large = eventText('changed', { resources: ['x'.repeat(100_000)] })

  test('is kept one message, and told afterwards what to read again', () => {
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
