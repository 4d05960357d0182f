/** The alarm load, compared with counting all lines of the collapsed list, and who sees which. */
import { asc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AlarmLoad, Notification } from '../../../../src/api/contract/notifications.ts'
import type { NotificationType } from '../../../../src/domain/notifications/types.ts'
import { insertMany } from '../../../../server/db/bulk.ts'
import { newId } from '../../../../server/db/id.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { incidents, notifications } from '../../../../server/db/schema/notifications.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { countAlarms } from '../../../../server/resources/notifications/load.ts'
import { startServer } from '../../support/harness.ts'

const { call, clock, db, signIn } = await startServer()
const vendor = demoId('account vendor')
const fleet = await db
  .select({ bssid: devices.bssid, vendor: devices.vendor_id })
  .from(devices)
  .orderBy(asc(devices.bssid))
const own = fleet.filter(device => device.vendor === vendor).map(({ bssid }) => bssid)
const foreign = fleet.filter(device => device.vendor === demoId('account vendor2')).map(({ bssid }) => bssid)

const minute = 60_000
const hour = 60 * minute
/** Noon of the clock's day in UTC. */
const noon = Math.floor(clock.now().getTime() / (24 * hour)) * 24 * hour + 12 * hour
clock.advance(noon - clock.now().getTime())
const tokens = {
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
  other: (await signIn('vendor2')).access_token,
}
type By = keyof typeof tokens

const get = async (by: By, query = '') =>
  (await call('GET', `/api/v3/notifications/load${query}`, { token: tokens[by] })).json<{ data: AlarmLoad }>().data
const statusOf = async (query: string) =>
  (await call('GET', `/api/v3/notifications/load${query}`, { token: tokens.vendor })).statusCode

/** Stores notifications of devices, each so many milliseconds ago. */
async function notify(type: NotificationType, rows: readonly (readonly [bssid: string, ago: number])[]) {
  const stored = rows.map(([bssid, ago]) => ({
    id: newId(),
    bssid,
    vendor_id: fleet.find(device => device.bssid === bssid)!.vendor,
    type,
    created_at: new Date(noon - ago),
    values: {},
  }))
  await insertMany(db, notifications, stored)
  return stored
}

async function incidentOf(type: NotificationType, bssids: readonly string[], ago: number) {
  const [id, at] = [newId(), new Date(noon - ago)]
  const rows = await notify(
    type,
    bssids.map(bssid => [bssid, ago] as const),
  )
  await db.insert(incidents).values({ id, vendor_id: rows[0]!.vendor_id, type, began_at: at, last_at: at })
  for (const row of rows) await db.update(notifications).set({ incident_id: id }).where(eq(notifications.id, row.id))
}

beforeEach(() => db.delete(notifications))

describe('the alarm load', () => {
  test('counts an incident once, and none of its notifications', async () => {
    await incidentOf('device_offline', own.slice(0, 6), 3 * hour)
    await notify('leak', [
      [own[0]!, hour],
      [own[1]!, 30 * hour],
    ])
    const load = await get('vendor')
    expect(load).toMatchObject({ alarms: 3, incidents: 1, incident_notifications: 6, flood_windows: 0 })
    expect(load.days.map(({ alarms }) => alarms)).toEqual([0, 0, 0, 0, 0, 1, 2])
    expect(load.worst.map(({ device, alarms, type }) => [device.bssid, alarms, type])).toEqual([
      [own[0], 1, 'leak'],
      [own[1], 1, 'leak'],
    ])
    // Six days and a half.
    expect(load.per_person_day).toBeCloseTo(3 / 6.5, 4)
    // The clock goes on meanwhile.
    expect(load.windows).toBe(6.5 * 144 + 1)
  })

  test('has as many alarms as the collapsed list has lines', async () => {
    await incidentOf('leak', foreign.slice(0, 5), 2 * hour)
    await notify('pressure_low', [
      [own[0]!, 1],
      [foreign[1]!, 5 * hour],
    ])
    for (const by of ['admin', 'vendor', 'other'] as const) {
      const answer = await call('GET', '/api/v3/notifications?collapse=true', { token: tokens[by] })
      const { data } = answer.json<{ data: { count: number; data: Notification[] } }>()
      expect((await get(by)).alarms, by).toBe(data.count)
    }
  })

  test('is in flood from ten alarms of a window on', async () => {
    await notify(
      'leak',
      Array.from({ length: 10 }, (_, index) => [own[index % own.length]!, 2 * hour - index * minute - 1] as const),
    )
    // Nine in the window before.
    await notify(
      'pressure_low',
      Array.from({ length: 9 }, (_, index) => [own[index % own.length]!, 2 * hour + (index + 1) * minute] as const),
    )
    const load = await get('vendor')
    expect(load).toMatchObject({ alarms: 19, flood_windows: 1 })
    expect(load.flood_hours).toBeCloseTo(1 / 6, 10)
    expect(load.fullest).toEqual({ at: new Date(noon - 2 * hour).toISOString(), alarms: 10 })
    expect(load.days.at(-1)).toMatchObject({ alarms: 19, flooded: 10 })
  })

  test('lists the ten devices with the most alarms, with their most frequent type', async () => {
    for (const [index, bssid] of own.slice(0, 12).entries()) {
      const rows = Array.from({ length: 13 - index }, (_, at) => [bssid, (at + 1) * hour] as const)
      await notify('battery_low', rows.slice(0, 1))
      await notify('feed_tds_high', rows.slice(1))
    }
    const { worst } = await get('vendor')
    expect(worst.map(({ device }) => device.bssid)).toEqual(own.slice(0, 10))
    expect(worst[0]).toMatchObject({ alarms: 13, type: 'feed_tds_high', of_type: 12 })
  })

  test('covers 7 or 30 local days, and nothing before', async () => {
    await notify('leak', [
      [own[0]!, 6.5 * 24 * hour],
      [own[0]!, 6.5 * 24 * hour + 1],
      [own[0]!, 29.5 * 24 * hour],
      [own[0]!, 29.5 * 24 * hour + 1],
    ])
    expect(await get('vendor')).toMatchObject({ alarms: 1, from: new Date(noon - 6.5 * 24 * hour).toISOString() })
    const month = await get('vendor', '?range=month')
    expect(month.alarms).toBe(3)
    expect(month.days).toHaveLength(30)
    // In Auckland it is another day, whose first hour has begun.
    const auckland = await get('vendor', '?zone=Pacific/Auckland')
    expect(auckland.days.at(-1)!.at).toBe(new Date(noon - hour).toISOString())
  })

  test('of a vendor is that of its own devices, and of an administrator that of all', async () => {
    await notify('leak', [
      [own[0]!, hour],
      [own[0]!, 2 * hour],
      [foreign[0]!, hour],
    ])
    await incidentOf('device_offline', foreign.slice(1, 6), hour)
    expect(await get('vendor')).toMatchObject({ alarms: 2, incidents: 0 })
    expect((await get('vendor')).worst.map(({ device }) => device.bssid)).toEqual([own[0]])
    expect(await get('other')).toMatchObject({ alarms: 2, incidents: 1 })
    expect((await get('other')).worst.map(({ device }) => device.bssid)).toEqual([foreign[0]])
    expect(await get('admin')).toMatchObject({ alarms: 4, incidents: 1 })
  })

  test('is that of the newest alarms if there are too many, from the oldest of these on', async () => {
    await notify(
      'leak',
      Array.from({ length: 20 }, (_, index) => [own[index % own.length]!, (index + 1) * hour] as const),
    )
    await incidentOf('device_offline', own.slice(0, 5), 12.5 * hour)
    await incidentOf('device_offline', own.slice(0, 5), 2.5 * hour)
    const caller = { vendor }
    const counted = await countAlarms(db, caller, noon - 6 * 24 * hour, { windows: 10, devices: 4 })
    expect(counted).toMatchObject({ from: noon - 10 * hour, incidents: { count: 1, notifications: 5 } })
    expect(counted.windows.reduce((sum, { alarms }) => sum + alarms, 0)).toBe(11)
    expect(counted.worst_from).toBe(noon - 4 * hour)
    expect(counted.worst.map(({ device }) => device.bssid)).toEqual(own.slice(0, 4))
  })

  test('without alarms is zero', async () => {
    expect(await get('vendor')).toMatchObject({ alarms: 0, per_person_day: 0, fullest: null, worst: [] })
  })
})

test('a range or a zone that there is not is refused', async () => {
  expect(await statusOf('?range=year')).toBe(400)
  expect(await statusOf('?zone=Mars/Olympus')).toBe(400)
  expect(await statusOf("?zone=UTC'; drop table notifications")).toBe(400)
})
