/** Incidents: notifications of one type that several devices of a vendor give at almost the same time. */
import { asc, eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { localBus, type BusEvent } from '../../../../server/bus/bus.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceAlarms, incidents, notifications } from '../../../../server/db/schema/notifications.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { openAlarms } from '../../../../server/devices/alarms/alarms.ts'
import { alarmDevices, marking } from '../../support/devices/alarmDevices.ts'
import { testParts } from '../../support/devices/readingSamples.ts'
import { startServer } from '../../support/harness.ts'

const server = await startServer()
const { alarms, bus, clock, db, telemetry } = server
const { log } = testParts(server)
const { newDevice, report } = alarmDevices(server)
const second = 1_000
const minute = 60 * second
const [vendor, other] = [demoId('account vendor'), demoId('account vendor2')]

/** Creates this many devices, on a supply or without a label. */
const newDevices = (count: number, water_supply: string | null = null, vendor_id = vendor) =>
  Promise.all(Array.from({ length: count }, () => newDevice({ water_supply, vendor_id })))
const goOffline = (bssids: readonly string[], evaluator = alarms) => evaluator.offline(marking(...bssids), clock.now())
const comeBack = (bssids: readonly string[]) => alarms.online(bssids, clock.now())

const stored = () =>
  db
    .select({
      vendor: incidents.vendor_id,
      type: incidents.type,
      supply: incidents.water_supply,
      notifications: incidents.notifications,
      devices: incidents.devices,
      open: incidents.open,
    })
    .from(incidents)
    .orderBy(asc(incidents.began_at), asc(incidents.id))
const [offlineOf, offline] = [
  (vendor: string, devices: number, more: object = {}) => ({
    vendor,
    type: 'device_offline',
    supply: null,
    notifications: devices,
    devices,
    open: devices,
    ...more,
  }),
  (devices: number, more: object = {}) => offlineOf(vendor, devices, more),
]
const endOf = async () => (await db.select().from(incidents))[0]!.ended_at

beforeEach(async () => {
  await db.delete(deviceAlarms)
  await db.delete(notifications)
  clock.advance(24 * 60 * minute)
})

test('forty devices that go offline together are one incident, with all their notifications', async () => {
  const bssids = await newDevices(40)
  const began = clock.now()
  await alarms.offline(marking(...bssids), began)
  expect(await stored()).toEqual([offline(40)])
  const [incident] = await db.select().from(incidents)
  expect(incident).toMatchObject({ began_at: began, last_at: began, ended_at: null })
  const members = await db.select().from(notifications).where(eq(notifications.incident_id, incident!.id))
  expect(members.map(({ bssid }) => bssid).toSorted()).toEqual(bssids.toSorted())
})

test('they are found one by one too, from the fifth device on, until two minutes pass without one', async () => {
  const bssids = await newDevices(8)
  for (const [index, bssid] of bssids.slice(0, 7).entries()) {
    await goOffline([bssid])
    expect(await stored()).toEqual(index < 4 ? [] : [offline(index + 1)])
    clock.advance(20 * second)
  }
  clock.advance(2 * minute)
  await goOffline(bssids.slice(7))
  expect(await stored()).toEqual([offline(7)])
})

test('four devices, or five over more than two minutes, are no incident', async () => {
  const bssids = await newDevices(9)
  await goOffline(bssids.slice(0, 4))
  clock.advance(3 * minute)
  for (const bssid of bssids.slice(4)) {
    await goOffline([bssid])
    clock.advance(40 * second)
  }
  expect(await stored()).toEqual([])
})

test('one device that goes offline five times is no incident', async () => {
  const [bssid] = await newDevices(1)
  for (let time = 0; time < 5; time++) {
    await goOffline([bssid!])
    await comeBack([bssid!])
    clock.advance(second)
  }
  expect(await stored()).toEqual([])
})

test('an incident stops growing after fifteen minutes', async () => {
  const bssids = await newDevices(25)
  for (const bssid of bssids) {
    await goOffline([bssid])
    clock.advance(45 * second)
  }
  // Later ones would be an incident only if they were five within two minutes.
  expect(await stored()).toEqual([])
  clock.advance(3 * minute)
  const many = await newDevices(30)
  await goOffline(many.slice(0, 10))
  for (const bssid of many.slice(10)) {
    clock.advance(minute)
    await goOffline([bssid])
  }
  expect(await stored()).toEqual([offline(24)])
})

test('devices of two vendors are two incidents', async () => {
  const [own, foreign] = [await newDevices(6), await newDevices(5, null, other)]
  await goOffline([...own, ...foreign])
  expect(await stored()).toEqual(expect.arrayContaining([offline(6), offlineOf(other, 5)]))
  expect(await stored()).toHaveLength(2)
})

test('devices on one supply are its incident, ignoring the case of its label; few others stay single', async () => {
  const harbour = [...(await newDevices(4, 'Harbour main')), ...(await newDevices(2, 'HARBOUR main'))]
  const others = [...(await newDevices(3, 'Hill')), ...(await newDevices(1))]
  await goOffline([...others, ...harbour])
  expect(await stored()).toEqual([offline(6, { supply: expect.stringMatching(/harbour main/i) })])
  const more = await newDevices(1, 'harbour main')
  clock.advance(minute)
  await goOffline(more)
  expect((await stored()).map(({ devices }) => devices)).toEqual([7])
})

test('if as many elsewhere follow, the incident is that of the vendor', async () => {
  await goOffline(await newDevices(6, 'Harbour main'))
  await goOffline(await newDevices(5, 'Hill'))
  expect(await stored()).toEqual([offline(11)])
  await goOffline(await newDevices(3, 'Harbour main'))
  expect(await stored()).toEqual([offline(14)])
})

test('in a fleet in which devices always go offline, only far more than usual are an incident of the vendor', async () => {
  // Twice in two minutes, for an hour.
  for (let index = 0; index < 60; index++) {
    await goOffline(await newDevices(1))
    clock.advance(minute)
  }
  await goOffline(await newDevices(4))
  expect(await stored()).toEqual([])
  await goOffline(await newDevices(5, 'Harbour main'))
  expect(await stored()).toEqual([offline(5, { supply: 'Harbour main' })])
})

test('a device that gives the notification again counts once', async () => {
  const bssids = await newDevices(5)
  await goOffline(bssids)
  await comeBack(bssids.slice(0, 1))
  expect(await stored()).toEqual([offline(5, { open: 4 })])
  clock.advance(30 * second)
  await goOffline(bssids.slice(0, 1))
  expect(await stored()).toEqual([offline(5, { notifications: 6 })])
})

test('an incident ends when its devices are back; what follows is another', async () => {
  const bssids = await newDevices(12)
  await goOffline(bssids.slice(0, 6))
  await comeBack(bssids.slice(0, 5))
  expect(await endOf()).toBeNull()
  const published: BusEvent[] = []
  const stop = bus.subscribe(event => published.push(event))
  await comeBack(bssids.slice(5, 6))
  stop()
  expect(await endOf()).not.toBeNull()
  expect(await stored()).toEqual([offline(6, { open: 0 })])
  expect(published).toContainEqual({ kind: 'vendorResources', changes: [{ resource: 'notifications', vendor }] })
  await goOffline(bssids.slice(6))
  expect((await stored()).map(({ devices }) => devices)).toEqual([6, 6])
})

test('conditions of other types, and one-time events, are incidents too', async () => {
  const bssids = await newDevices(7)
  for (const bssid of bssids.slice(0, 5)) await report(bssid, { status: 18 })
  const updated = bssids.slice(0, 6)
  await alarms.recordEvent(db, 'firmware_updated', updated, { version: '2.0.0' })
  await alarms.recordEvent(db, 'firmware_updated', bssids.slice(6), { version: '2.0.0' })
  expect(await stored()).toEqual(
    expect.arrayContaining([offline(5, { type: 'no_feed_water' }), offline(7, { type: 'firmware_updated', open: 0 })]),
  )
})

test('two servers that store notifications at the same time find one incident', async () => {
  const second = openAlarms({ db, telemetry, bus: localBus(), log, now: clock.now })
  const bssids = await newDevices(40)
  await Promise.all(bssids.map((bssid, index) => goOffline([bssid], index % 2 === 0 ? alarms : second)))
  expect(await stored()).toEqual([offline(40)])
  await Promise.all([comeBack(bssids.slice(0, 20)), second.online(bssids.slice(20), clock.now())])
  expect(await stored()).toEqual([offline(40, { open: 0 })])
  expect(await endOf()).not.toBeNull()
})

test('deleted and moved devices leave it, and the last one takes it with it', async () => {
  const bssids = await newDevices(6)
  await goOffline(bssids)
  await db.delete(devices).where(eq(devices.bssid, bssids[0]!))
  expect(await stored()).toEqual([offline(5)])
  await db.update(devices).set({ vendor_id: other }).where(eq(devices.bssid, bssids[1]!))
  expect(await stored()).toEqual([offline(4)])
  const moved = await db.select().from(notifications).where(eq(notifications.bssid, bssids[1]!))
  expect(moved).toMatchObject([{ vendor_id: other, incident_id: null }])
  await comeBack(bssids.slice(2))
  expect(await endOf()).not.toBeNull()
  await db.delete(devices).where(sql`${devices.bssid} = any(${sql.param(bssids)}::text[])`)
  expect(await stored()).toEqual([])
})

test('a failure to find incidents leaves single notifications', async () => {
  const bssids = await newDevices(5)
  await db.execute(sql`alter table incidents rename to incidents_away`)
  try {
    // The trigger that ends incidents needs the table, so only what begins is tried.
    await alarms.recordEvent(db, 'firmware_updated', bssids, { version: '2.0.0' })
  } finally {
    await db.execute(sql`alter table incidents_away rename to incidents`)
  }
  expect(await db.$count(notifications)).toBe(5)
  expect(await stored()).toEqual([])
})
