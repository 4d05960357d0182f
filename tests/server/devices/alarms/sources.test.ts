/** Conditions from messages of devices, with one or several servers. */
import { inArray } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { notifications } from '../../../../server/db/schema/notifications.ts'
import { openAlarms } from '../../../../server/devices/alarms/alarms.ts'
import { localBus, type BusEvent } from '../../../../server/bus/bus.ts'
import { alarmDevices, marking, normalReading } from '../../support/devices/alarmDevices.ts'
import { startServer } from '../../support/harness.ts'

const server = await startServer()
const { alarms, bus, call, clock, db, log, signIn, telemetry } = server
const { activeAlarms, evaluateReadings, insert, iso, goOffline, newDevice, read, report, notificationsOf } =
  alarmDevices(server)
const types = async (bssid: string) => (await notificationsOf(bssid)).map(({ type }) => type)

describe('an offline device', () => {
  test('is online again after a newer reading, but not after a late one', async () => {
    const bssid = await newDevice()
    const before = iso()
    clock.advance(1_000)
    await goOffline(bssid)
    await read(bssid, { at: before })
    expect(await activeAlarms(bssid)).toEqual(['device_offline'])
    clock.advance(1_000)
    await read(bssid, {})
    expect(await activeAlarms(bssid)).toEqual([])
    await alarms.offline(marking(bssid), clock.now())
    await alarms.online([bssid], clock.now())
    expect(await activeAlarms(bssid)).toEqual([])
    expect(await types(bssid)).toEqual(['device_offline', 'device_offline'])
  })

  test('that does not exist creates no notification', async () => {
    await alarms.offline(marking('00:00:00:00:00:00'), clock.now())
    expect(await notificationsOf('00:00:00:00:00:00')).toEqual([])
  })
})

describe('a fault', () => {
  test('from status, fault list and readings is one alarm, active until all of them have ended', async () => {
    const bssid = await newDevice()
    await read(bssid, { permeate_tds: 400 })
    await report(bssid, { status: 17, faults: ['outlet_tds_sensor'] })
    await read(bssid, { permeate_tds: 15 })
    await report(bssid, { status: 0 })
    expect(await activeAlarms(bssid)).toEqual(['outlet_tds_sensor faults'])
    await report(bssid, { status: 17, faults: [] })
    expect(await activeAlarms(bssid)).toEqual(['outlet_tds_sensor status'])
    expect(await types(bssid)).toEqual(['outlet_tds_sensor'])
    await report(bssid, { status: 1 })
    await report(bssid, { status: 17 })
    expect(await types(bssid)).toEqual(['outlet_tds_sensor', 'outlet_tds_sensor'])
  })
})

describe('a battery', () => {
  test('that is empty at once creates no second notification for low', async () => {
    const bssid = await newDevice()
    for (const battery_level of [90, 4, 12, 4]) await report(bssid, { battery_level })
    expect(await types(bssid)).toEqual(['battery_empty', 'battery_empty'])
    await report(bssid, { battery_level: 12 })
    expect(await activeAlarms(bssid)).toEqual(['battery_low'])
    await report(bssid, { battery_level: null })
    expect(await activeAlarms(bssid)).toEqual([])
  })
})

describe('readings', () => {
  test('of one message are evaluated in order, with a notification for each beginning', async () => {
    const bssid = await newDevice()
    const at = clock.now().getTime()
    const temperatures = [20, 39, 41, 30, 39, 20, 3]
    await evaluateReadings(
      bssid,
      temperatures.map((temperature, nth) => ({
        ...normalReading,
        at: new Date(at - 60_000 + nth * 1_000).toISOString(),
        temperature,
      })),
    )
    expect((await notificationsOf(bssid)).map(({ values }) => String(values.temperature)).toSorted()).toEqual([
      '3',
      '39',
      '39',
    ])
    expect(await activeAlarms(bssid)).toEqual(['temperature_low'])
  })

  test('that are late are ignored, and a clock that was ahead for a while has no lasting effect', async () => {
    const bssid = await newDevice()
    const early = iso()
    clock.advance(10_000)
    await read(bssid, { temperature: 20 })
    await read(bssid, { at: early, temperature: 40 })
    expect(await notificationsOf(bssid)).toEqual([])
    const ahead = new Date(clock.now().getTime() + 10 * 3_600_000).toISOString()
    await read(bssid, { at: ahead, temperature: 40 })
    clock.advance(10_000)
    await read(bssid, { temperature: 20 })
    expect(await activeAlarms(bssid)).toEqual([])
    expect(await types(bssid)).toEqual(['temperature_high'])
  })
})

describe('several processes', () => {
  const another = (on = localBus()) =>
    openAlarms({
      db,
      telemetry,
      bus: on,
      log: { info: () => undefined, error: text => log.push(text) },
      now: clock.now,
    })

  test('create each notification once', async () => {
    const bssids = await Promise.all(Array.from({ length: 5 }, () => newDevice()))
    const processes = [alarms, another(), another()]
    const events: BusEvent[] = []
    const stop = bus.subscribe(each => events.push(each))
    await Promise.all(
      processes.map(one =>
        one.states(bssids.map(bssid => ({ bssid, state: { at: iso(), status: 4 as const, battery_level: 3 } }))),
      ),
    )
    // Only now: a state that arrives after a device went offline ends that condition, and it would begin again.
    await Promise.all(processes.map(one => one.offline(marking(...bssids), clock.now())))
    stop()
    for (const bssid of bssids)
      expect((await types(bssid)).toSorted()).toEqual(['battery_empty', 'device_offline', 'leak'])
    const ids = events.flatMap(each => (each.kind === 'notifications' ? each.ids : []))
    const made = await db
      .select({ id: notifications.id })
      .from(notifications)
      .where(inArray(notifications.bssid, bssids))
    expect(made.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('end alarms that another one began', async () => {
    const bssid = await newDevice()
    const other = another(bus)
    await read(bssid, { pressure: 4 }, other)
    await read(bssid, { pressure: 9 })
    await read(bssid, { pressure: 4 }, other)
    expect(await activeAlarms(bssid)).toEqual([])
    await read(bssid, { pressure: 9 })
    expect(await types(bssid)).toEqual(['pressure_high', 'pressure_high'])
  })

  test('reload all alarms after missed events', async () => {
    const [one, two] = [await newDevice(), await newDevice()]
    const its = localBus()
    const other = another(its)
    await read(one, {}, other)
    await read(one, { pressure: 9 })
    await read(two, { pressure: 9 })
    await read(one, {}, other)
    expect(await activeAlarms(one)).toEqual(['pressure_high'])
    its.publish({ kind: 'missed' })
    await read(one, {}, other)
    expect(await activeAlarms(one)).toEqual([])
    clock.advance(10 * 60_000)
    const third = another()
    await read(two, {}, third)
    expect(await activeAlarms(two)).toEqual([])
  })

  test('store changes that failed before with the next ones', async () => {
    const bssid = await newDevice()
    let broken = true
    const failing = new Proxy(db, {
      get: (target, name, receiver) => {
        if (broken && (name === 'execute' || name === 'transaction'))
          return () => Promise.reject(new Error('The database is away'))
        return Reflect.get(target, name, receiver) as unknown
      },
    })
    const one = openAlarms({
      db: failing,
      telemetry,
      bus: localBus(),
      log: { info: () => undefined, error: () => undefined },
      now: clock.now,
    })
    await expect(report(bssid, { status: 4 }, one)).rejects.toThrow('away')
    broken = false
    await report(bssid, { status: 6 }, one)
    expect(await types(bssid)).toEqual(['leak'])
    await report(bssid, { status: 0 }, one)
    expect(await activeAlarms(bssid)).toEqual([])
  })
})

describe('a device that is deleted', () => {
  test('has no conditions when it is created again', async () => {
    const bssid = await newDevice()
    await report(bssid, { status: 4 })
    const token = (await signIn('admin')).access_token
    await call('DELETE', '/api/v3/devices', { token, body: { ids: [bssid] } })
    expect(await notificationsOf(bssid)).toEqual([])
    await insert(bssid)
    await report(bssid, { status: 4 })
    expect(await types(bssid)).toEqual(['leak'])
  })
})
