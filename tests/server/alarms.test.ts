/** Conditions of devices in the database: each begins once, is told once, ends, and begins again. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { notificationTypes, type NotificationType } from '../../src/api/contract/notifications.ts'
import { insertMany } from '../../server/db/bulk.ts'
import { deviceCartridges, devices } from '../../server/db/schema/devices.ts'
import { firmwareVersions } from '../../server/db/schema/models.ts'
import { deviceAlarms, notifications, type NotificationValues } from '../../server/db/schema/notifications.ts'
import { deviceTwins } from '../../server/db/schema/telemetry.ts'
import { openAlarms } from '../../server/devices/alarms/alarms.ts'
import type { AlarmJudge } from '../../server/devices/alarms/judge.ts'
import type { Reading, State } from '../../server/devices/protocol/messages.ts'
import { idOf } from '../../server/demo/random.ts'
import { localBus, type Told } from '../../server/live/bus.ts'
import { startServer } from './harness.ts'

const { db, alarms, bus, clock, log, call, signIn } = await startServer()
const day = 86_400_000
const platform = 'alarm-test'

let made = 0
/** A device like a new one, in no condition. */
async function newDevice(values: Partial<typeof devices.$inferInsert> = {}): Promise<string> {
  const bssid = `C0:00:00:00:00:${(made++).toString(16).padStart(2, '0').toUpperCase()}`
  const [vendor_id, model_id] = [idOf('account vendor'), idOf('model RO-400 Home')]
  await db.insert(devices).values({ bssid, platform, vendor_id, model_id, ...values })
  return bssid
}

const told = async (bssid: string) =>
  db
    .select({ type: notifications.type, values: notifications.values })
    .from(notifications)
    .where(eq(notifications.bssid, bssid))
    .orderBy(asc(notifications.created_at), asc(notifications.id))
const held = async (bssid: string) =>
  (
    await db
      .select({ type: deviceAlarms.type, subject: deviceAlarms.subject })
      .from(deviceAlarms)
      .where(eq(deviceAlarms.bssid, bssid))
      .orderBy(asc(deviceAlarms.type), asc(deviceAlarms.subject))
  ).map(({ type, subject }) => (subject === '' ? type : `${type} ${subject}`))

const calm: Omit<Reading, 'at'> = {
  feed: 0.5,
  permeate: 0.2,
  feed_flow: 1,
  permeate_flow: 0.4,
  feed_tds: 300,
  permeate_tds: 15,
  pressure: 4,
  temperature: 15,
}
const iso = () => clock.now().toISOString()
const read = (bssid: string, values: Partial<Reading>, judge: AlarmJudge = alarms) =>
  judge.readings([{ bssid, reading: { at: iso(), ...calm, ...values } }])
const report = (bssid: string, values: Partial<State>, judge: AlarmJudge = alarms) =>
  judge.states([{ bssid, state: { at: iso(), ...values } }])

type Act = (bssid: string) => Promise<void>
interface Condition {
  readonly begin: Act
  /** Where it holds or wavers, and nothing is told. */
  readonly hold: Act
  readonly end: Act
  readonly values?: NotificationValues
}

const byReading = (begin: Partial<Reading>, hold: Partial<Reading>, values: NotificationValues): Condition => ({
  begin: bssid => read(bssid, begin),
  hold: bssid => read(bssid, hold),
  end: bssid => read(bssid, {}),
  values,
})
const byState = (begin: Partial<State>, hold: Partial<State>, end: Partial<State>, values = {}): Condition => ({
  begin: bssid => report(bssid, begin),
  hold: bssid => report(bssid, hold),
  end: bssid => report(bssid, end),
  values,
})
/** By its status, which something else hides for a while. */
const byStatus = (status: NonNullable<State['status']>) => byState({ status }, { status: 6 }, { status: 0 })

const membrane = idOf('cartridge TFC-75')
/** So many days and litres since it was fitted; 730 and 10,000 are its all. */
const worn =
  (days: number, litres: number): Act =>
  async bssid => {
    await db
      .update(deviceCartridges)
      .set({ installed_at: new Date(clock.now().getTime() - days * day), volume_before: 5_000 - litres })
      .where(eq(deviceCartridges.bssid, bssid))
    await alarms.sweep(clock.now())
  }
const installs =
  (firmware: string): Act =>
  async bssid => {
    await db.update(devices).set({ firmware }).where(eq(devices.bssid, bssid))
    await alarms.sweep(clock.now())
  }

const conditions: Readonly<Partial<Record<NotificationType, Condition>>> = {
  cartridge_expiring: { begin: worn(700, 0), hold: worn(700, 9_500), end: worn(0, 0) },
  cartridge_expired: { begin: worn(0, 10_000), hold: worn(731, 0), end: worn(0, 0) },
  firmware_available: {
    begin: installs('1.9.0'),
    hold: installs('1.8.0'),
    end: installs('1.10.0'),
    values: { version: '1.10.0' },
  },
  battery_low: byState({ battery_level: 20 }, { battery_level: 24 }, { battery_level: 25 }, { battery_level: 20 }),
  battery_empty: byState({ battery_level: 5 }, { battery_level: 9 }, { battery_level: 100 }, { battery_level: 5 }),
  device_offline: {
    begin: bssid => alarms.states([{ bssid, state: { offline: true } }]),
    hold: bssid => alarms.offline([bssid], clock.now()),
    end: bssid => report(bssid, {}),
    values: {},
  },
  leak: byStatus(4),
  pump_failure: byStatus(10),
  inlet_flow_sensor: byStatus(11),
  outlet_flow_sensor: byStatus(12),
  pressure_sensor: byStatus(13),
  inlet_temperature_sensor: byState({ faults: ['inlet_temperature_sensor'] }, { status: 14 }, { status: 0, faults: [] }),
  outlet_temperature_sensor: byStatus(15),
  inlet_tds_sensor: byStatus(16),
  outlet_tds_sensor: byReading({ permeate_tds: 301 }, { permeate_tds: 280 }, { feed_tds: 300, permeate_tds: 301 }),
  no_feed_water: byStatus(18),
  temperature_high: byReading({ temperature: 38 }, { temperature: 36.5 }, { temperature: 38 }),
  temperature_low: byReading({ temperature: 3.2 }, { temperature: 5.5 }, { temperature: 3.2 }),
  pressure_high: byReading({ pressure: 8.1 }, { pressure: 7.8 }, { pressure: 8.1 }),
  pressure_low: byReading({ pressure: 1.9 }, { pressure: 2.2 }, { pressure: 1.9 }),
  feed_tds_high: byReading({ feed_tds: 1_600 }, { feed_tds: 1_400 }, { feed_tds: 1_600 }),
}
const happenings = ['cartridge_replaced', 'filtration_system_changed', 'firmware_updated'] as const

await insertMany(
  db,
  firmwareVersions,
  ['1.8.0', '1.9.0', '1.10.0'].map((version, place) => ({
    platform,
    version,
    released_at: new Date(clock.now().getTime() - (9 - place) * day),
  })),
)

/** With a membrane that has all before it, and a firmware that is the newest. */
async function calmDevice(): Promise<string> {
  const bssid = await newDevice({ firmware: '1.10.0', feed: 9_000, permeate: 5_000, waste: 4_000 })
  await db.insert(deviceCartridges).values({
    bssid,
    position: 2,
    cartridge_type_id: membrane,
    installed_at: clock.now(),
    volume_before: 5_000,
  })
  return bssid
}

test('every type is here', () => {
  expect([...Object.keys(conditions), ...happenings].toSorted()).toEqual(notificationTypes.toSorted())
})

describe('a condition is told when it begins, and again once it has ended', () => {
  test.each(Object.entries(conditions))('%s', async (name, { begin, hold, end, values }) => {
    const type = name as NotificationType
    const bssid = await calmDevice()
    const times = async () => (await told(bssid)).filter(one => one.type === type).length
    const holds = async () => (await held(bssid)).some(one => one.split(' ')[0] === type)
    await end(bssid)
    expect([await times(), await holds()]).toEqual([0, false])

    await begin(bssid)
    expect([await times(), await holds()]).toEqual([1, true])
    if (values) expect(await told(bssid)).toContainEqual({ type, values })

    for (const act of [begin, hold, begin, hold]) await act(bssid)
    expect([await times(), await holds()]).toEqual([1, true])

    await end(bssid)
    await end(bssid)
    expect([await times(), await holds()]).toEqual([1, false])
    await begin(bssid)
    expect([await times(), await holds()]).toEqual([2, true])
  })
})

describe('what happens is told each time, and does not hold', () => {
  test.each(happenings)('%s', async type => {
    const [one, two] = [await newDevice(), await newDevice()]
    await alarms.happened(type, [one, two, '00:00:00:00:00:00'], { version: '2' })
    await alarms.happened(type, [one])
    expect(await told(one)).toHaveLength(2)
    expect(await told(one)).toContainEqual({ type, values: { version: '2' } })
    expect(await told(two)).toEqual([{ type, values: { version: '2' } }])
    expect(await held(one)).toEqual([])
    expect(log).toEqual([])
  })
})
