/** What every telemetry store does: no reading is lost or counts twice, and nothing is left of deleted devices. */
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { devices } from '../../../server/db/schema/devices.ts'
import { deviceTwins, unevaluatedReadings } from '../../../server/db/schema/telemetry.ts'
import { newId } from '../../../server/db/id.ts'
import type { Reading } from '../../../server/protocol/messages.ts'
import type { TelemetryStore } from '../../../server/telemetry/store.ts'
import { chartsOf, rollupAt } from '../support/devices/charts.ts'
import type { TestServer } from '../support/harness.ts'
import { day, minute, newDevice, readingAt, testIngest } from '../support/devices/readingSamples.ts'
import { proveCharts } from './proveCharts.ts'

interface Subject {
  /** Has the store. */
  readonly server: TestServer
  /** Opens the store as another process does. */
  readonly open: () => Promise<TelemetryStore> | TelemetryStore
}

/** Defines the tests of a kind of store. */
export function proveStore({ server, open }: Subject): void {
  proveCharts(server)
  const { db, telemetry, clock } = server
  const { setClock, feeds } = chartsOf(server)
  const ingest = testIngest(server)
  afterAll(() => ingest.close())
  const never = new AbortController().signal
  const now = '2026-07-20T12:00:00Z'
  const kept = { rawDays: 30, tenMinuteDays: 365 }
  const twinOf = async (bssid: string) => (await db.select().from(deviceTwins).where(eq(deviceTwins.bssid, bssid)))[0]!
  /** Returns a batch of readings of one device. */
  const batchOf = (bssid: string, readings: readonly Reading[]) => {
    const storedAt = clock.now().getTime()
    return {
      id: newId(),
      storedAt,
      readings: readings.map(reading => ({ bssid, at: Date.parse(reading.at), reading })),
      received: new Map([[bssid, storedAt]]),
    }
  }
  const minutesOf = (start: string, count: number) =>
    Array.from({ length: count }, (_, place) => readingAt(Date.parse(start) + place * minute, { feed: place + 1 }))

  test('a batch that comes again, at once or from several servers, counts once', async () => {
    setClock(now)
    const bssid = await newDevice(db)
    const batch = batchOf(bssid, minutesOf('2026-07-20T11:30:00Z', 20))
    const stores = [telemetry, await open(), await open()]
    const results = await Promise.all(stores.map(store => store.write({ ...batch, id: newId() })))
    expect(results.map(({ fresh }) => fresh.length).toSorted((a, b) => a - b)).toEqual([0, 0, 20])
    const half = { ...batch, id: newId(), readings: batch.readings.filter((_, place) => place % 2 === 0) }
    expect((await telemetry.write(half)).fresh).toEqual([])
    expect((await twinOf(bssid)).feed).toBe(210)
    expect(await feeds(bssid, { range: 'day', zone: 'UTC' })).toEqual({
      '2026-07-20T11:30:00.000Z': 55,
      '2026-07-20T11:40:00.000Z': 155,
    })
  })

  test('readings ahead of time are known again once they are in the past', async () => {
    setClock(now)
    const bssid = await newDevice(db)
    const ahead = batchOf(bssid, [readingAt(Date.parse('2026-07-20T15:00:00Z'), { feed: 7 })])
    expect((await telemetry.write(ahead)).fresh).toHaveLength(1)
    expect((await telemetry.write(batchOf(bssid, [readingAt(Date.parse(now))]))).fresh).toHaveLength(1)
    setClock('2026-07-20T16:00:00Z')
    expect((await telemetry.write({ ...ahead, id: newId() })).fresh).toEqual([])
    expect((await twinOf(bssid)).feed).toBe(8)
  })

  test('readings of devices that do not exist are named and not stored, and the others are', async () => {
    setClock(now)
    const bssid = await newDevice(db)
    const at = clock.now().getTime() - minute
    const readings = [bssid, 'FF:FF:FF:FF:FF:FF'].map(each => ({ bssid: each, at, reading: readingAt(at) }))
    const received = new Map(readings.map(each => [each.bssid, at]))
    const { fresh, unknown } = await telemetry.write({ id: newId(), storedAt: at, readings, received })
    expect([fresh, unknown]).toEqual([readings.slice(0, 1), ['FF:FF:FF:FF:FF:FF']])
    expect(await telemetry.read(readings)).toMatchObject(readings.slice(0, 1))
  })

  test('stored readings wait for their evaluation, and are read by their keys in order', async () => {
    setClock(now)
    const bssid = await newDevice(db)
    const batch = batchOf(bssid, [
      readingAt(Date.parse('2026-07-20T11:00:00.125Z'), { feed_flow: null, temperature: -0.5 }),
      readingAt(Date.parse('2026-07-20T11:01:00Z'), { feed_tds: null, pressure: 0 }),
    ])
    await telemetry.write(batch)
    expect(await db.$count(unevaluatedReadings, eq(unevaluatedReadings.id, batch.id))).toBe(1)
    const [first, last] = await telemetry.read(batch.readings.toReversed())
    expect([first!.at, last!.at]).toEqual(batch.readings.map(({ at }) => at).toReversed())
    expect(last!.reading).toMatchObject({ at: '2026-07-20T11:00:00.125Z', feed: 1, feed_flow: null, temperature: -0.5 })
    expect(first!.reading).toMatchObject({ feed: 1, feed_tds: null, pressure: 0 })
    expect(await telemetry.read([{ bssid, at: Date.parse('2026-07-20T11:02:00Z') }])).toEqual([])
  })

  test('old readings are removed, and their sums stay', async () => {
    setClock(now)
    const bssid = await newDevice(db)
    const [old, young] = [clock.now().getTime() - 29 * day, clock.now().getTime()]
    await ingest.add(bssid, [readingAt(old, { feed: 3 }), readingAt(young, { feed: 4 })])
    clock.advance(2 * day)
    await telemetry.prepare(clock.now().getTime(), never)
    await telemetry.retain(clock.now().getTime(), kept, never)
    const found = await telemetry.read([old, young].map(at => ({ bssid, at })))
    expect(found.map(({ at }) => at)).toEqual([young])
    const year = Object.values(await feeds(bssid, { range: 'year', zone: 'UTC' }))
    expect(year).toEqual([3, 4])
    // A server with another clock may still store a reading of that day.
    clock.advance(-2 * day)
    await ingest.add(bssid, [readingAt(old + day, { feed: 5 })])
    expect(Object.values(await feeds(bssid, { range: 'year', zone: 'UTC' }))).toEqual([3, 5, 4])
  })

  describe('a deleted device', () => {
    const withReadings = async () => {
      setClock(now)
      const bssid = await newDevice(db)
      await ingest.add(bssid, [...minutesOf('2026-07-18T11:30:00Z', 2), ...minutesOf('2026-07-20T11:30:00Z', 2)])
      await telemetry.importRollups(db, 'day', [rollupAt(bssid, '2026-03-10T00:00:00Z', 100)])
      return bssid
    }
    const allFeeds = async (bssid: string) => Object.values(await feeds(bssid, { range: 'year', zone: 'UTC' }))

    test('leaves no data, and other devices keep theirs', async () => {
      const [bssid, other] = [await withReadings(), await withReadings()]
      expect(await allFeeds(bssid)).toEqual([100, 3, 3])
      await db.delete(devices).where(eq(devices.bssid, bssid))
      await telemetry.forgetDeleted(never)
      expect(await allFeeds(bssid)).toEqual([])
      expect(await telemetry.read([{ bssid, at: Date.parse('2026-07-20T11:30:00Z') }])).toEqual([])
      expect(await allFeeds(other)).toEqual([100, 3, 3])
    })

    test('that is created again at once has no history, and keeps what it sends then', async () => {
      const bssid = await withReadings()
      const row = (await db.select().from(devices).where(eq(devices.bssid, bssid)))[0]!
      await db.delete(devices).where(eq(devices.bssid, bssid))
      const { platform, model_id, vendor_id } = row
      await db.insert(devices).values({ bssid, platform, model_id, vendor_id })
      expect(await allFeeds(bssid)).toEqual([])
      await ingest.add(bssid, [readingAt(Date.parse('2026-07-20T11:30:00Z'), { feed: 9 })])
      expect(await allFeeds(bssid)).toEqual([9])
      await telemetry.forgetDeleted(never)
      expect(await allFeeds(bssid)).toEqual([9])
    })
  })
}
