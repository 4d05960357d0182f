/** Conditions of devices in the database: each begins once, creates one notification, ends, and can begin again. */
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Notification } from '../../../../src/api/contract/notifications.ts'
import { notificationTypes, type NotificationType } from '../../../../src/domain/notifications/types.ts'
import { insertMany } from '../../../../server/db/bulk.ts'
import { firmwareVersions } from '../../../../server/db/schema/models.ts'
import { notifications, type NotificationValues } from '../../../../server/db/schema/notifications.ts'
import type { Reading, State } from '../../../../server/protocol/messages.ts'
import { alarmDevices, day, marking, platform, type Action } from '../../support/devices/alarmDevices.ts'
import { startServer } from '../../support/harness.ts'

const server = await startServer()
const { alarms, clock, db, log } = server
const { fittedDevice, activeAlarms, install, goOffline, newDevice, read, report, notificationsOf, wear } =
  alarmDevices(server)

interface Condition {
  readonly begin: Action
  /** Keeps the condition active without a new notification. */
  readonly hold: Action
  readonly end: Action
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
/** A condition by status, which another status hides for a while. */
const byStatus = (status: NonNullable<State['status']>) => byState({ status }, { status: 6 }, { status: 0 })

/** The membrane lasts 730 days or 10,000 litres. */
const conditions: Readonly<Partial<Record<NotificationType, Condition>>> = {
  cartridge_expiring: { begin: wear(700, 0), hold: wear(700, 9_500), end: wear(0, 0) },
  cartridge_expired: { begin: wear(0, 10_000), hold: wear(731, 0), end: wear(0, 0) },
  firmware_available: {
    begin: install('1.9.0'),
    hold: install('1.8.0'),
    end: install('1.10.0'),
    values: { version: '1.10.0' },
  },
  battery_low: byState({ battery_level: 20 }, { battery_level: 24 }, { battery_level: 25 }, { battery_level: 20 }),
  battery_empty: byState({ battery_level: 5 }, { battery_level: 9 }, { battery_level: 100 }, { battery_level: 5 }),
  device_offline: {
    begin: goOffline,
    hold: async bssid => void (await alarms.offline(marking(bssid), clock.now())),
    end: bssid => report(bssid, {}),
    values: {},
  },
  leak: byStatus(4),
  pump_failure: byStatus(10),
  inlet_flow_sensor: byStatus(11),
  outlet_flow_sensor: byStatus(12),
  pressure_sensor: byStatus(13),
  inlet_temperature_sensor: byState(
    { faults: ['inlet_temperature_sensor'] },
    { status: 14 },
    { status: 0, faults: [] },
  ),
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
const eventTypes = ['cartridge_replaced', 'filtration_system_changed', 'firmware_updated'] as const

await insertMany(
  db,
  firmwareVersions,
  ['1.8.0', '1.9.0', '1.10.0'].map((version, place) => ({
    platform,
    version,
    released_at: new Date(clock.now().getTime() - (9 - place) * day),
  })),
)

test('the tests cover every notification type', () => {
  expect([...Object.keys(conditions), ...eventTypes].toSorted()).toEqual(notificationTypes.toSorted())
})

describe('a condition creates a notification when it begins, and again only after it has ended', () => {
  test.each(Object.entries(conditions))('%s', async (name, { begin, hold, end, values }) => {
    const type = name as NotificationType
    const bssid = await fittedDevice({ firmware: '1.10.0' })
    const times = async () => (await notificationsOf(bssid)).filter(one => one.type === type).length
    const holds = async () => (await activeAlarms(bssid)).some(one => one.split(' ')[0] === type)
    await end(bssid)
    expect([await times(), await holds()]).toEqual([0, false])

    await begin(bssid)
    expect([await times(), await holds()]).toEqual([1, true])
    if (values) expect(await notificationsOf(bssid)).toContainEqual({ type, values })

    for (const act of [begin, hold, begin, hold]) await act(bssid)
    expect([await times(), await holds()]).toEqual([1, true])

    await end(bssid)
    await end(bssid)
    expect([await times(), await holds()]).toEqual([1, false])
    await begin(bssid)
    expect([await times(), await holds()]).toEqual([2, true])
  })
})

describe('an event creates a notification each time, and no active alarm', () => {
  test.each(eventTypes)('%s', async type => {
    const [one, two] = [await newDevice(), await newDevice()]
    await alarms.recordEvent(db, type, [one, two, '00:00:00:00:00:00'], { version: '2' })
    await alarms.recordEvent(db, type, [one])
    expect(await notificationsOf(one)).toHaveLength(2)
    expect(await notificationsOf(one)).toContainEqual({ type, values: { version: '2' } })
    expect(await notificationsOf(two)).toEqual([{ type, values: { version: '2' } }])
    expect(await activeAlarms(one)).toEqual([])
    expect(log).toEqual([])
  })
})

describe('of a device and type, twelve notifications a day are stored', () => {
  const stored = (bssid: string) =>
    db.select().from(notifications).where(eq(notifications.bssid, bssid)).orderBy(notifications.created_at)
  const repeatsOf = async (bssid: string) => (await stored(bssid)).map(({ repeats }) => repeats)
  const twelve = (last: number) => [...Array.from({ length: 11 }, () => 0), last]

  test('and the further ones are counted on the last', async () => {
    const [bssid, other] = [await newDevice(), await newDevice()]
    const flap = async () => {
      await goOffline(bssid)
      await report(bssid, {})
    }
    for (let each = 0; each < 30; each++) await flap()
    await report(bssid, { status: 4 })
    await goOffline(other)
    expect(await repeatsOf(bssid)).toEqual([...twelve(18), 0])
    expect(await repeatsOf(other)).toEqual([0])

    // The next day has its own, and yesterday's last keeps its number.
    clock.advance(day)
    for (let each = 0; each < 14; each++) await flap()
    expect((await repeatsOf(bssid)).filter(repeats => repeats > 0)).toEqual([18, 2])
    const token = (await server.signIn('admin')).access_token
    const answer = await server.call('GET', `/api/v3/notifications?devices=${bssid}&types=device_offline&limit=100`, {
      token,
    })
    const { count, data } = answer.json<{ data: { count: number; data: Notification[] } }>().data
    expect([count, data.map(({ repeats }) => repeats)]).toEqual([
      24,
      [2, ...Array(11).fill(undefined), 18, ...Array(11).fill(undefined)],
    ])
  })

  test('also of events, and of many in one statement', async () => {
    const bssid = await newDevice()
    for (let each = 0; each < 5; each++) await alarms.recordEvent(db, 'firmware_updated', [bssid], { version: '2' })
    await alarms.recordEvent(db, 'firmware_updated', Array<string>(20).fill(bssid), { version: '3' })
    expect(await repeatsOf(bssid)).toEqual(twelve(13))
    await alarms.recordEvent(db, 'firmware_updated', Array<string>(3).fill(bssid), { version: '4' })
    expect(await repeatsOf(bssid)).toEqual(twelve(16))
    expect(await db.$count(notifications, eq(notifications.bssid, bssid))).toBe(12)
  })
})
