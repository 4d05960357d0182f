/** The calendar: what overlaps a window is in it, and a vendor's calendar is what concerns its own devices. */
import { asc, eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Event } from '../../src/api/contract/events.ts'
import { messages } from '../../src/domain/messages.ts'
import { instantOf } from '../../src/domain/zone.ts'
import { insertMany } from '../../server/db/bulk.ts'
import { newId } from '../../server/db/id.ts'
import { accounts } from '../../server/db/schema/accounts.ts'
import { devices } from '../../server/db/schema/devices.ts'
import { eventDevices, events } from '../../server/db/schema/events.ts'
import { startServer } from './harness.ts'
import { newEvent } from './subjects.ts'

const { call, db, signIn } = await startServer()
const token = {
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
  vendor2: (await signIn('vendor2')).access_token,
}
type By = keyof typeof token

const devicesOf = async (login: string) => {
  const rows = await db
    .select({ bssid: devices.bssid })
    .from(devices)
    .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
    .where(eq(accounts.login, login))
    .orderBy(asc(devices.bssid))
  return rows.map(({ bssid }) => bssid)
}
const own = await devicesOf('vendor')
const others = await devicesOf('vendor2')
const [mine, theirs] = [own[0]!, others[0]!]

const usual = {
  title: 'Membrane replacement',
  description: 'Bring a TFC-75',
  start: '2031-05-05T08:00:00Z',
  end: '2031-05-05T10:00:00Z',
  devices: [mine],
}

async function create(by: By, values: Partial<Record<keyof typeof usual, unknown>> = {}) {
  const answer = await call('POST', '/api/v3/events', { token: token[by], body: { ...usual, ...values } })
  const { data, message } = answer.json<{ data?: { _id: string }; message?: unknown }>()
  return { status: answer.statusCode, id: data?._id ?? '', message }
}
async function list(by: By, from: string, to: string, of?: readonly string[]) {
  const query = new URLSearchParams({ from, to, ...(of && { devices: of.join(',') }) })
  const answer = await call('GET', `/api/v3/events?${query}`, { token: token[by] })
  const { data, message } = answer.json<{ data?: Event[]; message?: unknown }>()
  return { status: answer.statusCode, data: data ?? [], message }
}
const remove = async (by: By, id: string) =>
  (await call('DELETE', `/api/v3/events/${id}`, { token: token[by] })).statusCode
/** As the caller sees it. */
const seen = async (by: By, id: string) =>
  (await list(by, '2031-01-01T00:00:00Z', '2031-12-31T00:00:00Z')).data.find(({ _id }) => _id === id)

/** So many more of the vendor's, by their keys, which begin as given. */
async function manyDevices(prefix: string, count: number): Promise<string[]> {
  const made = Array.from({ length: count }, (_, at) => {
    const last = at.toString(16).toUpperCase().padStart(4, '0')
    return `${prefix}:${last.slice(0, 2)}:${last.slice(2)}`
  })
  const [one] = await db.select().from(devices).where(eq(devices.bssid, mine))
  const { model_id, vendor_id } = one!
  await insertMany(
    db,
    devices,
    made.map(bssid => ({ bssid, platform: 'esp32', model_id, vendor_id })),
  )
  return made
}

describe('an event that is made', () => {
  test('is as it was given, with times in UTC and devices spelled as the server spells them', async () => {
    const spelled = [own[1]!.toLowerCase().replaceAll(':', ''), mine, mine.toLowerCase()]
    const { id } = await create('vendor', {
      title: '  Site visit ',
      start: '2031-05-05T10:00:00+02:00',
      end: '2031-05-05T08:00:00Z',
      devices: spelled,
    })
    expect(await seen('vendor', id)).toEqual({
      _id: id,
      title: 'Site visit',
      description: usual.description,
      start: '2031-05-05T08:00:00.000Z',
      end: '2031-05-05T08:00:00.000Z',
      devices: [mine, own[1]!],
      created_by: (await signIn('vendor')).user_id,
    })
  })

  test.each([
    ['a blank title', { title: ' ' }, 'Title is required'],
    ['a long title', { title: 'x'.repeat(201) }, messages.max('Title', 200)],
    ['a long description', { description: 'x'.repeat(2001) }, messages.max('Description', 2000)],
    ['no zone', { start: '2031-05-05T08:00' }, 'Start must be an ISO 8601 time, such as 2026-01-31T12:00:00Z'],
    ['its end first', { end: '2031-05-05T07:59:59.999Z' }, 'End must not be before start'],
    ['the year 0', { start: '0000-05-05T08:00:00Z' }, 'Start must be in the years 1 to 9999'],
    ['the year 10000', { end: '9999-12-31T23:59:59-01:00' }, 'End must be in the years 1 to 9999'],
    ['no device', { devices: [] }, messages.someDevices],
    ['1,001 devices', { devices: Array.from({ length: 1001 }, () => mine) }, 'Devices must hold at most 1000'],
  ])('with %s is refused', async (_, values, message) => {
    const before = await db.$count(events)
    expect(await create('admin', values)).toMatchObject({ status: 400, message })
    expect(await db.$count(events)).toBe(before)
  })

  test('as long as is allowed is taken', async () => {
    const values = { title: '💧'.repeat(100), description: 'x'.repeat(2000), end: usual.start }
    expect((await create('admin', values)).status).toBe(200)
  })

  test('for a thousand devices shows each', async () => {
    const made = await manyDevices('FE:E2:00:00', 1000)
    const { id } = await create('vendor', { devices: made })
    expect((await seen('vendor', id))?.devices).toEqual(made)
    await db.delete(devices).where(inArray(devices.bssid, made))
    expect(await seen('admin', id)).toBeUndefined()
  })

  test('for a device that is not there, or not the caller’s, is refused and names it', async () => {
    const before = await db.$count(events)
    const absent = '00:00:00:00:00:00'
    expect(await create('vendor', { devices: [mine, theirs] })).toMatchObject({
      status: 404,
      message: `Device ${theirs} not found`,
    })
    expect(await create('vendor', { devices: [mine, absent] })).toMatchObject({
      status: 404,
      message: `Device ${absent} not found`,
    })
    expect(await create('admin', { devices: ['nonsense', mine, absent, theirs] })).toMatchObject({
      status: 404,
      message: 'Device nonsense not found, nor 1 more',
    })
    expect(await db.$count(events)).toBe(before)
  })
})

describe('the list', () => {
  test('law: it has what overlaps the window, the earliest first', async () => {
    await db.delete(events)
    const hour = 3_600_000
    const begin = Date.UTC(2030, 0, 1)
    // So few places that ends meet.
    const made = Array.from({ length: 120 }, (_, at) => {
      const start = begin + ((at * 7) % 40) * hour
      return { id: newId(), start, end: start + ((at * 5) % 4) * hour * (at % 9 === 0 ? 20 : 1), of: own[at % 4]! }
    })
    for (const { id, start, end, of } of made)
      await newEvent(db, [of], { id, starts_at: new Date(start), ends_at: new Date(end) })
    const place = fc.integer({ min: -2, max: 130 })
    await fc.assert(
      fc.asyncProperty(
        place,
        fc.nat(60),
        fc.option(fc.subarray(own.slice(0, 4)), { nil: undefined }),
        async (at, length, of) => {
          const [from, to] = [begin + at * hour, begin + (at + length) * hour]
          const expected = made
            .filter(({ start, end }) => from < to && start < to && (end > from || start >= from))
            .filter(event => of?.includes(event.of) ?? true)
            .toSorted((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1))
          const { data } = await list('vendor', new Date(from).toISOString(), new Date(to).toISOString(), of)
          expect(data.map(({ _id }) => _id)).toEqual(expected.map(({ id }) => id))
        },
      ),
      { numRuns: 60 },
    )
  })

  test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
    'days on which clocks change in %s hold their own events, and no others',
    async zone => {
      const day = 86_400_000
      for (const date of ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01']) {
        await db.delete(events)
        const wall = Date.parse(date)
        const [from, to] = [instantOf(zone, wall), instantOf(zone, wall + day)]
        const whole = await newEvent(db, [mine], { starts_at: new Date(from), ends_at: new Date(to) })
        const last = await newEvent(db, [mine], { starts_at: new Date(to - 1), ends_at: new Date(to - 1) })
        await newEvent(db, [mine], { starts_at: new Date(to), ends_at: new Date(to) })
        await newEvent(db, [mine], { starts_at: new Date(from - day), ends_at: new Date(from) })
        const { data } = await list('admin', new Date(from).toISOString(), new Date(to).toISOString())
        expect(data.map(({ _id }) => _id)).toEqual([whole, last])
        expect(Date.parse(data[0]!.end) - Date.parse(data[0]!.start)).toBe(to - from)
      }
    },
  )

  test.each([
    ['2031-01-01T00:00:00Z', '2030-12-31T23:59:59Z', 'To must not be before from'],
    ['2031-01-01T00:00:00Z', '2032-02-05T00:00:00.001Z', 'From and to must be at most 400 days apart'],
    ['0000-01-01T00:00:00Z', '2031-01-01T00:00:00Z', 'From must be in the years 1 to 9999'],
    ['tomorrow', '2031-01-01T00:00:00Z', 'From must be an ISO 8601 time, such as 2026-01-31T12:00:00Z'],
  ])('from %s to %s is refused: %s', async (from, to, message) => {
    expect(await list('admin', from, to)).toMatchObject({ status: 400, message })
  })

  test('takes 400 days, and wants both ends', async () => {
    expect((await list('admin', '2031-01-01T00:00:00Z', '2032-02-05T00:00:00Z')).status).toBe(200)
    const answer = await call('GET', '/api/v3/events?from=2031-01-01T00:00:00Z', { token: token.admin })
    expect(answer.json()).toEqual({ message: 'To is required' })
  })

  test('of more than 50,000 devices, each counted for every event, is refused', async () => {
    const made = await manyDevices('FE:E2:00:01', 1000)
    const at = new Date('2032-03-01T08:00:00Z')
    const all = Array.from({ length: 50 }, () => newId())
    for (const id of all) await newEvent(db, made, { id, starts_at: at, ends_at: at })
    const window = ['2032-03-01T00:00:00Z', '2032-03-02T00:00:00Z'] as const
    expect((await list('admin', ...window)).data.flatMap(event => event.devices)).toHaveLength(50_000)
    const last = await newEvent(db, [mine], { starts_at: at, ends_at: at })
    expect(await list('vendor', ...window)).toMatchObject({
      status: 400,
      message: 'There are more than 50,000 devices that events concern; please choose a shorter time',
    })
    // Those that are not asked for do not count.
    expect((await list('admin', ...window, [mine])).data.map(({ _id }) => _id)).toEqual([last])
    await db.delete(events).where(inArray(events.id, [...all, last]))
    await db.delete(devices).where(inArray(devices.bssid, made))
  })

  test('of devices: in any spelling, of several once, of none nothing', async () => {
    const { id } = await create('vendor', { devices: own.slice(0, 3) })
    const window = ['2031-05-05T00:00:00Z', '2031-05-06T00:00:00Z'] as const
    const found = async (of: readonly string[]) =>
      (await list('vendor', ...window, of)).data.filter(({ _id }) => _id === id)
    const spelled = own.slice(0, 2).map(bssid => bssid.toLowerCase().replaceAll(':', ''))
    expect(await found([...spelled, own[2]!])).toMatchObject([{ devices: own.slice(0, 3) }])
    expect(await found([own[3]!, theirs, 'nonsense'])).toEqual([])
    expect((await list('vendor', ...window, [])).data).toEqual([])
  })
})

describe('an event that concerns devices of two vendors', () => {
  const shared = async () => (await create('admin', { devices: [mine, own[1], theirs] })).id

  test('shows each of them its own, and finds nothing by the other’s', async () => {
    const id = await shared()
    expect((await seen('admin', id))?.devices.toSorted()).toEqual([mine, own[1]!, theirs].toSorted())
    expect((await seen('vendor', id))?.devices).toEqual([mine, own[1]])
    expect((await seen('vendor2', id))?.devices).toEqual([theirs])
    const byTheirs = await list('vendor', '2031-05-05T00:00:00Z', '2031-05-06T00:00:00Z', [theirs])
    expect(byTheirs.data).toEqual([])
  })

  test('is deleted by a vendor as far as it is its own; with the last of its devices it is gone', async () => {
    const id = await shared()
    expect(await remove('vendor', id)).toBe(200)
    expect(await seen('vendor', id)).toBeUndefined()
    expect(await remove('vendor', id)).toBe(404)
    expect((await seen('admin', id))?.devices).toEqual([theirs])
    expect(await remove('vendor2', id)).toBe(200)
    expect(await db.$count(events, eq(events.id, id))).toBe(0)
  })

  test('is deleted whole by an administrator', async () => {
    const id = await shared()
    expect(await remove('admin', id)).toBe(200)
    expect(await db.$count(events, eq(events.id, id))).toBe(0)
    expect(await db.$count(eventDevices, eq(eventDevices.event_id, id))).toBe(0)
    expect(await remove('admin', id)).toBe(404)
  })

  test('follows a device that another vendor gets', async () => {
    const id = (await create('vendor', { devices: [own[2]] })).id
    const [to] = await db.select().from(accounts).where(eq(accounts.login, 'vendor2'))
    await db.update(devices).set({ vendor_id: to!.id }).where(eq(devices.bssid, own[2]!))
    expect(await seen('vendor', id)).toBeUndefined()
    expect((await seen('vendor2', id))?.devices).toEqual([own[2]])
  })
})

test('devices that are deleted leave their events; the last takes its event with it', async () => {
  const [one, two] = own.slice(-2)
  const both = (await create('vendor', { devices: [one, two] })).id
  const single = (await create('vendor', { devices: [one] })).id
  const gone = (ids: unknown[]) => call('DELETE', '/api/v3/devices', { token: token.vendor, body: { ids } })
  expect((await gone([one])).statusCode).toBe(200)
  expect((await seen('vendor', both))?.devices).toEqual([two])
  expect(await seen('vendor', single)).toBeUndefined()
  expect((await gone([two])).statusCode).toBe(200)
  expect(await db.$count(events, inArray(events.id, [both, single]))).toBe(0)
})
