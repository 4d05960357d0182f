/** Devices of several vendors that go offline together: one line for administrators, each vendor's own for vendors. */
import { asc, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { AlarmLoad, Notification, Unseen } from '../../../../src/api/contract/notifications.ts'
import { newId } from '../../../../server/db/id.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceAlarms, incidents, notifications } from '../../../../server/db/schema/notifications.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { marking } from '../../support/devices/alarmDevices.ts'
import { startServer } from '../../support/harness.ts'

const { alarms, call, clock, db, signIn } = await startServer()
const tokens = {
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
  vendor2: (await signIn('vendor2')).access_token,
  vendor3: (await signIn('vendor3')).access_token,
}
type By = keyof typeof tokens
const devicesOf = async (name: Exclude<By, 'admin'>) =>
  (
    await db
      .select({ bssid: devices.bssid })
      .from(devices)
      .where(eq(devices.vendor_id, demoId(`account ${name}`)))
      .orderBy(asc(devices.bssid))
      .limit(6)
  ).map(({ bssid }) => bssid)
const [own, theirs] = [await devicesOf('vendor'), await devicesOf('vendor2')]
const single = (await devicesOf('vendor3'))[0]!

const get = async <Data>(by: By, path: string) =>
  (await call('GET', `/api/v3/notifications${path}`, { token: tokens[by] })).json<{ data: Data }>().data
const lines = (by: By, query = '') => get<{ count: number; data: Notification[] }>(by, `?collapse=true${query}`)
const membersOf = (by: By, id: string) => get<{ count: number; data: Notification[] }>(by, `?incident=${id}`)
const offline = (bssids: readonly string[]) => alarms.offline(marking(...bssids), clock.now())

beforeEach(async () => {
  clock.advance(5_000)
  await db.delete(deviceAlarms)
  await db.delete(notifications)
  await db.update(accounts).set({ notifications_seen_at: new Date(clock.now().getTime() - 1) })
})

test('within two minutes they are one line for an administrator, and a vendor sees only its own', async () => {
  await offline(own)
  clock.advance(90_000)
  await offline(theirs)
  const { count, data } = await lines('admin')
  expect(count).toBe(1)
  expect(data).toMatchObject([
    {
      type: 'device_offline',
      incident: { devices: 12, open: 12, vendors: 2, water_supply: null, ended_at: null },
    },
  ])
  expect(Date.parse(data[0]!.incident!.last_at) - Date.parse(data[0]!.created_at)).toBeGreaterThanOrEqual(90_000)
  for (const [by, bssids] of [['vendor', own] as const, ['vendor2', theirs] as const]) {
    const page = await lines(by)
    expect(page).toMatchObject({ count: 1, data: [{ incident: { devices: 6, open: 6 } }] })
    expect(page.data[0]!.incident).not.toHaveProperty('vendors')
    const members = await membersOf(by, page.data[0]!._id)
    expect(members.data.map(({ device }) => device.bssid).toSorted()).toEqual(bssids)
  }
  expect((await membersOf('admin', data[0]!._id)).count).toBe(12)
  // The id of the line is that of the other vendor's incident.
  expect((await membersOf('vendor2', data[0]!._id)).count).toBe(0)
})

test('the line is one unseen notification, one alarm, and found by any of its devices', async () => {
  await offline(own)
  await offline(theirs)
  for (const by of ['admin', 'vendor', 'vendor2'] as const) expect((await get<Unseen>(by, '/unseen')).count, by).toBe(1)
  expect(await get<AlarmLoad>('admin', '/load')).toMatchObject({ alarms: 1, incidents: 1, incident_notifications: 12 })
  expect(await get<AlarmLoad>('vendor2', '/load')).toMatchObject({ alarms: 1, incidents: 1, incident_notifications: 6 })
  for (const bssid of [own[0], theirs[0]])
    expect(await lines('admin', `&devices=${bssid}`)).toMatchObject({ count: 1, data: [{ incident: { devices: 12 } }] })
  expect((await lines('admin', '&types=leak')).count).toBe(0)
})

test('more than two minutes apart they are a line each', async () => {
  await offline(own)
  clock.advance(121_000)
  await offline(theirs)
  expect((await lines('admin')).count).toBe(2)
})

test('it lasts as long as one of its devices is offline', async () => {
  await offline(own)
  await offline(theirs)
  await db.delete(deviceAlarms).where(eq(deviceAlarms.bssid, own[0]!))
  expect((await lines('admin')).data).toMatchObject([{ incident: { devices: 12, open: 11, ended_at: null } }])
  await db.delete(deviceAlarms)
  const [line] = (await lines('admin')).data
  expect(line!.incident).toMatchObject({ devices: 12, open: 0, ended_at: expect.any(String) })
})

test('another incident takes the place of the first one when that is deleted', async () => {
  await offline(own)
  clock.advance(1_000)
  await offline(theirs)
  await db.delete(notifications).where(eq(notifications.vendor_id, demoId('account vendor')))
  const stored = await db.select().from(incidents)
  expect(stored).toHaveLength(1)
  expect(stored[0]!.storm_id).toBe(stored[0]!.id)
  const { count, data } = await lines('admin')
  expect(count).toBe(1)
  expect(data[0]!.incident).toMatchObject({ devices: 6 })
  expect(data[0]!.incident).not.toHaveProperty('vendors')
})

test('vendors with too few devices for an incident of their own are in the storm', async () => {
  await offline([...own.slice(0, 3), ...theirs.slice(0, 4)])
  // Only three are of another vendor than the one with most.
  expect((await lines('admin')).count).toBe(7)
  clock.advance(10_000)
  await offline([own[3]!, single])
  const { count, data } = await lines('admin')
  expect(count).toBe(1)
  expect(data[0]!.incident).toMatchObject({ devices: 9, open: 9, vendors: 3 })
  expect((await membersOf('admin', data[0]!._id)).count).toBe(9)
  expect(await lines('vendor')).toMatchObject({ count: 1, data: [{ incident: { devices: 4 } }] })
  // A later one joins although it is alone.
  clock.advance(60_000)
  await offline([theirs[4]!])
  expect(await lines('admin')).toMatchObject({ count: 1, data: [{ incident: { devices: 10 } }] })
})

test('a single device of a vendor is a notification for that vendor, and part of the storm for administrators', async () => {
  await offline([...own.slice(0, 4), ...theirs.slice(0, 4), single])
  const { count, data } = await lines('vendor3')
  expect(count).toBe(1)
  expect(data[0]).not.toHaveProperty('incident')
  expect(data[0]!.device.bssid).toBe(single)
  const [notification] = await db.select().from(notifications).where(eq(notifications.bssid, single))
  expect(data[0]!._id).toBe(notification!.id)
  expect((await get<Unseen>('vendor3', '/unseen')).count).toBe(1)
})

test('devices of several vendors that usually go offline are no storm', async () => {
  // Each two minutes of the hour before, two devices went offline.
  for (const ago of Array.from({ length: 30 }, (_, index) => 2 * 60_000 * (index + 1.5)))
    for (const bssid of [own[5]!, theirs[5]!])
      await db.insert(notifications).values({
        id: newId(),
        bssid,
        vendor_id: '',
        type: 'device_offline',
        created_at: new Date(clock.now().getTime() - ago),
      })
  await offline([...own.slice(0, 4), ...theirs.slice(0, 4), single])
  expect((await lines('admin')).count).toBe(60 + 9)
})
