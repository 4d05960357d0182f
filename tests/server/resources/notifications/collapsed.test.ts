/** Collapsed lists of notifications, compared with collapsing all of them, and the notifications of an incident. */
import { asc, eq, inArray, isNotNull } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Notification, Unseen } from '../../../../src/api/contract/notifications.ts'
import { notificationTypes, type NotificationType } from '../../../../src/domain/notifications/types.ts'
import { insertMany } from '../../../../server/db/bulk.ts'
import { newId } from '../../../../server/db/id.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceAlarms, incidents, notifications } from '../../../../server/db/schema/notifications.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { marking } from '../../support/devices/alarmDevices.ts'
import { startServer } from '../../support/harness.ts'

const { alarms, call, clock, db, signIn } = await startServer()
const tokens = { admin: (await signIn('admin')).access_token, vendor: (await signIn('vendor')).access_token }
type By = keyof typeof tokens
const vendor = demoId('account vendor')
const fleet = await db
  .select({ bssid: devices.bssid, vendor: devices.vendor_id })
  .from(devices)
  .orderBy(asc(devices.bssid))
const bssidsOf = (whose: 'own' | 'foreign') =>
  fleet.filter(device => (device.vendor === vendor) === (whose === 'own')).map(({ bssid }) => bssid)

async function list(by: By, query: string) {
  const answer = await call('GET', `/api/v3/notifications?${query}`, { token: tokens[by] })
  return answer.json<{ data: { count: number; data: Notification[] } }>().data
}
const unseen = async (by: By) =>
  (await call('GET', '/api/v3/notifications/unseen', { token: tokens[by] })).json<{ data: Unseen }>().data.count

const types = ['device_offline', 'no_feed_water', 'leak', 'pressure_low'] as const
const from = Date.UTC(2026, 0, 1)
/** Stores incidents of five devices each, at times at which there are single notifications too. */
async function makeIncident(index: number) {
  const bssids = bssidsOf(index % 3 === 0 ? 'foreign' : 'own').slice(index % 4, (index % 4) + 5)
  const owner = fleet.find(({ bssid }) => bssid === bssids[0])!.vendor
  const own = bssids.filter(bssid => fleet.find(device => device.bssid === bssid)!.vendor === owner)
  const [id, type, at] = [newId(), types[index % types.length]!, new Date(from + ((index * 7) % 30) * 3_600_000)]
  await db.insert(incidents).values({ id, vendor_id: owner, type, began_at: at, last_at: at })
  const rows = own.map(bssid => ({ id: newId(), bssid, vendor_id: owner, type, created_at: at, values: {} }))
  await insertMany(db, notifications, rows)
  // As the server does: notifications join an incident after they are stored, and triggers count them.
  for (const row of rows) await db.update(notifications).set({ incident_id: id }).where(eq(notifications.id, row.id))
  return id
}

/**
 * All lines, newest first: single notifications, and incidents with the devices and types by which they are found. Those of a storm
 * are the line of its first one for administrators.
 */
async function allLines(by: By) {
  const stored = await db.select().from(notifications)
  const lines = stored
    .filter(({ incident_id }) => incident_id === null)
    .map(({ id, type, bssid, vendor_id, created_at }) => ({
      key: id,
      id,
      type,
      bssids: [bssid],
      vendor: vendor_id,
      at: created_at,
    }))
  const all = await db.select().from(incidents)
  for (const incident of all) {
    const storm = by === 'admin' ? all.filter(({ storm_id }) => storm_id === incident.id) : []
    if (by === 'admin' && (incident.storm_id ?? incident.id) !== incident.id) continue
    const ids = [incident.id, ...storm.map(({ id }) => id)]
    const members = stored.filter(({ incident_id }) => incident_id !== null && ids.includes(incident_id))
    lines.push({
      key: incident.id,
      // A vendor's part of a storm may be a single notification.
      id: members.length === 1 && !(by === 'admin' && incident.storm_id !== null) ? members[0]!.id : incident.id,
      type: incident.type,
      bssids: members.map(({ bssid }) => bssid),
      vendor: incident.vendor_id,
      at: incident.began_at,
    })
  }
  return lines.toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.key < b.key ? 1 : -1))
}

describe('a collapsed list', () => {
  beforeAll(async () => {
    await db.delete(notifications)
    await insertMany(
      db,
      notifications,
      Array.from({ length: 200 }, (_, at) => {
        const device = fleet[(at * 7) % fleet.length]!
        return {
          id: newId(),
          bssid: device.bssid,
          vendor_id: device.vendor,
          type: (at % 20 === 0 ? 'battery_low' : types[(at * 5) % types.length]!) as NotificationType,
          created_at: new Date(from + ((at * 13) % 30) * 3_600_000),
          values: {},
        }
      }),
    )
    const made: string[] = []
    for (let index = 0; index < 12; index++) made.push(await makeIncident(index))
    // Storms are of one type.
    for (const first of [0, 1])
      await db
        .update(incidents)
        .set({ storm_id: made[first]! })
        .where(
          inArray(
            incidents.id,
            [first, first + 4, first + 8].map(index => made[index]!),
          ),
        )
  })

  test('law: any filter and page equals collapsing, filtering and sorting all notifications', async () => {
    const linesOf = { admin: await allLines('admin'), vendor: await allLines('vendor') }
    expect(linesOf.admin.length).toBe(linesOf.vendor.length - 4)
    expect(linesOf.admin.filter(({ bssids }) => bssids.length > 1).length).toBeGreaterThan(5)
    const bssids = fc.subarray([...fleet.map(one => one.bssid), '00:00:00:00:00:00'], { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<By>('admin', 'vendor'),
        fc.option(fc.subarray([...notificationTypes], { minLength: 1 }), { nil: undefined }),
        fc.option(bssids, { nil: undefined }),
        fc.nat(250),
        fc.integer({ min: 1, max: 300 }),
        async (by, wanted, bssidFilter, offset, limit) => {
          const expected = linesOf[by].filter(
            line =>
              (by === 'admin' || line.vendor === vendor) &&
              (wanted?.includes(line.type) ?? true) &&
              (bssidFilter === undefined || line.bssids.some(bssid => bssidFilter.includes(bssid))),
          )
          const query = ['collapse=true', `offset=${offset}`, `limit=${limit}`]
          if (wanted) query.push(`types=${wanted.join(',')}`)
          if (bssidFilter) query.push(`devices=${bssidFilter.join(',')}`)
          const { count, data } = await list(by, query.join('&'))
          expect(count).toBe(expected.length)
          expect(data.map(({ _id }) => _id)).toEqual(expected.slice(offset, offset + limit).map(({ id }) => id))
        },
      ),
      { numRuns: 100 },
    )
  })

  test('lists that are not collapsed do not mention incidents', async () => {
    const { count, data } = await list('admin', 'limit=1000')
    expect(count).toBe(await db.$count(notifications))
    expect(data.filter(row => 'incident' in row)).toEqual([])
  })
})

describe('forty devices that go offline together', () => {
  const bssids = bssidsOf('own').slice(0, 40)
  beforeAll(async () => {
    await db.delete(deviceAlarms)
    await db.delete(notifications)
    await db.update(accounts).set({ notifications_seen_at: new Date(clock.now().getTime() - 60_000) })
    await db.update(devices).set({ water_supply: 'Harbour main' }).where(eq(devices.vendor_id, vendor))
    await alarms.offline(marking(...bssids), clock.now())
  })

  test('are one line of a page, whose notifications are read page by page', async () => {
    const { count, data } = await list('vendor', 'collapse=true&limit=20')
    expect(count).toBe(1)
    expect(data).toMatchObject([
      {
        type: 'device_offline',
        device: { company_name: 'Aquaterra Water Systems' },
        incident: { devices: bssids.length, open: bssids.length, water_supply: 'Harbour main', ended_at: null },
      },
    ])
    const [line] = data
    expect(line!.created_at).toBe(line!.incident!.last_at)
    const pages = [0, 20].map(offset => list('vendor', `incident=${line!._id}&limit=20&offset=${offset}`))
    const members = (await Promise.all(pages)).flatMap(page => page.data)
    expect(members.map(({ device }) => device.bssid).toSorted()).toEqual(bssids)
    expect(members).toEqual((await list('vendor', 'limit=1000')).data)
    expect((await list('vendor', `incident=${line!._id}&types=leak`)).count).toBe(0)
    expect(await list('vendor', `incident=${line!._id}&devices=${bssids[3]}`)).toMatchObject({ count: 1 })
  })

  test('are one unseen notification, also when more of them follow', async () => {
    expect([await unseen('vendor'), await unseen('admin')]).toEqual([1, 1])
    const until = clock.now().toISOString()
    await call('PUT', '/api/v3/notifications/seen', { token: tokens.vendor, body: { until } })
    expect(await unseen('vendor')).toBe(0)
    clock.advance(1_000)
    await db.delete(deviceAlarms).where(eq(deviceAlarms.bssid, bssids[0]!))
    await alarms.offline(marking(bssids[0]!), clock.now())
    expect([await unseen('vendor'), await unseen('admin')]).toEqual([1, 1])
  })

  test('are not those of another vendor, which finds none by the id of the incident', async () => {
    const others = bssidsOf('foreign')
    const owner = fleet.find(({ bssid }) => bssid === others[0])!.vendor
    const theirs = others.filter(bssid => fleet.find(device => device.bssid === bssid)!.vendor === owner)
    // Long enough after the others to have another reason.
    clock.advance(3 * 60_000)
    await alarms.offline(marking(...theirs), clock.now())
    const [line] = (await list('admin', 'collapse=true&limit=1')).data
    expect(line!.incident!.devices).toBe(theirs.length)
    expect((await list('admin', 'collapse=true')).count).toBe(2)
    expect((await list('vendor', 'collapse=true')).count).toBe(1)
    expect((await list('admin', `incident=${line!._id}`)).count).toBe(theirs.length)
    expect(await list('vendor', `incident=${line!._id}`)).toEqual(await list('vendor', 'incident=none'))
    expect(await list('vendor', `incident=${line!._id}&collapse=true`)).toEqual({ count: 0, data: [] })
  })

  test('the line keeps its place and its beginning when its first device is deleted', async () => {
    const before = (await list('vendor', 'collapse=true')).data[0]!
    await db.delete(devices).where(eq(devices.bssid, before.device.bssid))
    const after = (await list('vendor', 'collapse=true')).data[0]!
    expect(after.device.bssid).not.toBe(before.device.bssid)
    expect(after).toEqual({
      ...before,
      device: after.device,
      incident: { ...before.incident!, devices: bssids.length - 1, open: bssids.length - 1 },
    })
    expect(await db.$count(notifications, isNotNull(notifications.incident_id))).toBeGreaterThan(0)
  })
})
