/** Readings whose server was killed, or failed, between storing and evaluating them: their notifications are made later. */
import { beforeEach, expect, test } from 'vitest'
import { localBus } from '../../../../server/bus/bus.ts'
import type { Database } from '../../../../server/db/database.ts'
import { unevaluatedReadings } from '../../../../server/db/schema/telemetry.ts'
import { openAlarms } from '../../../../server/devices/alarms/alarms.ts'
import type { AlarmEvaluator } from '../../../../server/devices/alarms/alarmEvaluator.ts'
import { openIngest } from '../../../../server/devices/ingest/readings.ts'
import type { Reading } from '../../../../server/protocol/messages.ts'
import { alarmDevices, normalReading } from '../../support/devices/alarmDevices.ts'
import { startServer } from '../../support/harness.ts'
import { testParts } from '../../support/devices/readingSamples.ts'

const server = await startServer()
const { db, telemetry, clock } = server
const { newDevice, notificationsOf, activeAlarms, read } = alarmDevices(server)
const parts = testParts(server)
const second = 1_000

const newAlarms = (on: Database = db) =>
  openAlarms({ db: on, telemetry, bus: localBus(), log: parts.log, now: clock.now })
const waiting = () => db.$count(unevaluatedReadings)
const temperatures = (values: readonly number[]): Reading[] =>
  values.map((temperature, place) => {
    const at = new Date(clock.now().getTime() - (values.length - place) * second).toISOString()
    return { ...normalReading, at, temperature }
  })

/** Stores readings on a server that evaluates with `alarms`; by default it is killed before it evaluates. */
async function store(bssid: string, values: readonly number[], alarms: AlarmEvaluator = parts.alarms): Promise<void> {
  const ingest = openIngest({ ...parts, alarms })
  await ingest.add(bssid, temperatures(values))
  await ingest.close()
}
const hot = (count: number) =>
  Array.from({ length: count }, () => ({ type: 'temperature_high', values: { temperature: 40 } }))

beforeEach(() => db.delete(unevaluatedReadings))

test('a running server leaves nothing to evaluate', async () => {
  const bssid = await newDevice()
  await store(bssid, [20, 40], newAlarms())
  await store(bssid, [40], newAlarms())
  expect(await notificationsOf(bssid)).toEqual(hot(1))
  expect(await waiting()).toBe(0)
})

test('readings of a killed server are evaluated by another, in order, from ten seconds on', async () => {
  const [one, two] = [await newDevice(), await newDevice()]
  await store(one, [20, 40, 20])
  await store(two, [40])
  await store(one, [40])
  const next = newAlarms()
  clock.advance(9 * second)
  await next.recover()
  expect([await notificationsOf(one), await waiting()]).toEqual([[], 3])
  clock.advance(2 * second)
  await next.recover()
  expect(await notificationsOf(one)).toEqual(hot(2))
  expect(await notificationsOf(two)).toEqual(hot(1))
  expect(await activeAlarms(one)).toEqual(['temperature_high'])
  expect(await waiting()).toBe(0)
})

test('several servers make each notification once, also of conditions that have ended', async () => {
  const bssid = await newDevice()
  await store(bssid, [40, 20, 40, 20])
  clock.advance(11 * second)
  await Promise.all([newAlarms(), newAlarms(), newAlarms()].map(alarms => alarms.recover()))
  expect(await notificationsOf(bssid)).toEqual(hot(2))
  expect(await activeAlarms(bssid)).toEqual([])
})

test('a batch that another server has evaluated meanwhile is not evaluated again by its own', async () => {
  const bssid = await newDevice()
  const slow = newAlarms()
  let evaluate = async () => {}
  await store(bssid, [40, 20], {
    ...parts.alarms,
    readings: async (fresh, batch) => {
      evaluate = () => slow.readings(fresh, batch)
    },
  })
  clock.advance(11 * second)
  await newAlarms().recover()
  await evaluate()
  expect(await notificationsOf(bssid)).toEqual(hot(1))
})

test('after newer readings, older ones make their notifications and end nothing', async () => {
  const [wasHot, isHot] = [await newDevice(), await newDevice()]
  await store(wasHot, [40])
  await store(isHot, [20])
  clock.advance(11 * second)
  const next = newAlarms()
  await read(wasHot, { temperature: 20 }, next)
  await read(isHot, { temperature: 40 }, next)
  await next.recover()
  expect(await notificationsOf(wasHot)).toEqual(hot(1))
  expect(await activeAlarms(isHot)).toEqual(['temperature_high'])
  clock.advance(30 * second)
  await read(wasHot, { temperature: 20 }, next)
  await read(isHot, { temperature: 40 }, next)
  expect(await activeAlarms(wasHot)).toEqual([])
  expect(await notificationsOf(isHot)).toEqual(hot(1))
})

test('what newer readings of another server have begun is not ended by older ones, and is notified once', async () => {
  const bssid = await newDevice()
  await store(bssid, [20])
  clock.advance(11 * second)
  await store(bssid, [40], newAlarms())
  await newAlarms().recover()
  expect(await activeAlarms(bssid)).toEqual(['temperature_high'])
  clock.advance(30 * second)
  await store(bssid, [40], newAlarms())
  expect(await notificationsOf(bssid)).toEqual(hot(1))
  expect(await waiting()).toBe(0)
})

test('readings whose evaluation fails are evaluated with the next ones, or else later', async () => {
  const [one, two] = [await newDevice(), await newDevice()]
  let broken = true
  const failing = new Proxy(db, {
    get: (target, name, receiver) =>
      broken && name === 'transaction'
        ? () => Promise.reject(new Error('The database is away'))
        : (Reflect.get(target, name, receiver) as unknown),
  })
  const alarms = newAlarms(failing)
  await store(one, [40], alarms)
  await store(two, [40], alarms)
  expect(await waiting()).toBe(2)
  broken = false
  await store(one, [40], alarms)
  expect(await notificationsOf(one)).toEqual(hot(1))
  clock.advance(11 * second)
  await alarms.recover()
  expect(await notificationsOf(two)).toEqual(hot(1))
  expect(await waiting()).toBe(0)
})

test('readings of a device that is deleted meanwhile are forgotten', async () => {
  const bssid = await newDevice()
  await store(bssid, [40])
  const { access_token: token } = await server.signIn('admin')
  await server.call('DELETE', '/api/v3/devices', { token, body: { ids: [bssid] } })
  clock.advance(11 * second)
  await newAlarms().recover()
  expect(await waiting()).toBe(0)
})
