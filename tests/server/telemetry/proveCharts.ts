/** What every telemetry store shows in charts: the sums of its readings and of imported history. */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { ranges } from '../../../src/api/contract/statistics.ts'
import { deviceTwins } from '../../../server/db/schema/telemetry.ts'
import type { Reading } from '../../../server/protocol/messages.ts'
import { chartsOf, rollupAt } from '../support/devices/charts.ts'
import { deviceRow } from '../support/devices/deviceRows.ts'
import type { TestServer } from '../support/harness.ts'
import {
  hour,
  minute,
  newDevice,
  pointOf,
  pointsOf,
  readingAt,
  testIngest,
  type Expected,
} from '../support/devices/readingSamples.ts'

/** Returns the differences, ignoring rounding errors. */
function differences(found: readonly Expected[], wanted: readonly Expected[]): string[] {
  const same = (shown: number | null | undefined, value: number | null) =>
    value === null || typeof shown !== 'number'
      ? shown === value
      : Math.abs(shown - value) < 1e-4 + Math.abs(value) * 1e-9
  const names = Object.keys(pointOf([])) as (keyof Expected)[]
  return wanted.flatMap((point, place) =>
    names
      .filter(name => !same(found[place]?.[name], point[name]))
      .map(name => `bucket ${place}: ${name} is ${found[place]?.[name]}, not ${point[name]}`),
  )
}

const sensor = (max: number) => fc.option(fc.integer({ min: 0, max: max * 100 }).map(value => value / 100))
/** Times close to multiples of `step`, which are edges of buckets. */
const near = (step: number, from: number, to: number) =>
  fc
    .tuple(fc.integer({ min: Math.ceil(from / step), max: Math.floor(to / step) }), fc.constantFrom(-1, 0, 1))
    .map(([steps, by]) => Math.max(from, steps * step + by))
const anyReading = (from: number, to: number): fc.Arbitrary<Reading> =>
  fc
    .record({
      at: fc.oneof(fc.integer({ min: from, max: to }), near(hour, from, to), near(10 * minute, from, to)),
      feed: fc.integer({ min: 0, max: 100_000 }).map(value => value / 1000),
      permeate: fc.integer({ min: 0, max: 100_000 }).map(value => value / 1000),
      feed_flow: sensor(5),
      permeate_flow: fc.oneof(fc.constant(0), sensor(2)),
      feed_tds: sensor(600),
      permeate_tds: sensor(600),
      pressure: sensor(8),
      temperature: sensor(40),
    })
    .map(({ at, ...values }) => ({ ...values, at: new Date(at).toISOString() }))

/** Messages that are sent at the same time, then a chart that is read. */
interface Round {
  readonly messages: readonly (readonly Reading[])[]
  readonly chartZone: string
  /** Whether a worker sums what has ended while the messages arrive. */
  readonly sumsMeanwhile: boolean
}

interface Case {
  readonly now: string
  /** The beginning of the period of the readings, ISO; it ends at `now`. */
  readonly from: string
  readonly zones: readonly string[]
}
const periods: Record<string, Case> = {
  'a day of 23 hours in Berlin and New York': {
    now: '2026-03-30T21:30:00Z',
    from: '2026-03-06T00:00:00Z',
    zones: ['UTC', 'Europe/Berlin', 'America/New_York'],
  },
  'a day of 25 hours in Berlin': {
    now: '2026-10-27T08:45:00Z',
    from: '2026-10-23T00:00:00Z',
    zones: ['Europe/Berlin', 'America/New_York'],
  },
  'zones that differ from UTC by half and quarter hours': {
    now: '2026-07-03T18:20:00Z',
    from: '2026-06-29T00:00:00Z',
    zones: ['Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  },
}

/** Defines the tests of the charts of a server's store. */
export function proveCharts(server: TestServer): void {
  const { db, telemetry } = server
  const { setClock, points, pointsOfDevices, feeds, newestEdges, periodEdges } = chartsOf(server)
  const ingest = testIngest(server)
  afterAll(() => ingest.close())
  const now = '2026-07-20T12:00:00Z'
  const never = new AbortController().signal

  describe.each(Object.entries(periods))('rollups equal the sums over readings: %s', (_, { now, from, zones }) => {
    const span = [Date.parse(from), Date.parse(now)] as const
    const message = fc.array(anyReading(...span), { minLength: 1, maxLength: 12 })
    // Reading a chart stores its days, which readings that arrive later must change.
    const rounds = fc.array(
      fc.record<Round>({
        messages: fc.array(message, { maxLength: 4 }),
        chartZone: fc.constantFrom(...zones),
        sumsMeanwhile: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    )
    /** The rounds of four devices: reading their charts takes as long as that of one. */
    const fleet = fc.array(rounds, { minLength: 4, maxLength: 4 })

    test('for late, repeated and unordered readings in several batches', async () => {
      /** Sends the readings of one device, and returns them, each once, with the device. */
      const send = async (bssid: string, allRounds: readonly Round[], repeats: (at: string) => boolean) => {
        const sent: Reading[] = []
        for (const { messages, chartZone, sumsMeanwhile } of allRounds) {
          const again = sent.filter(one => repeats(one.at))
          const adding = [...messages, again].filter(one => one.length > 0).map(one => ingest.add(bssid, one))
          await Promise.all([...adding, sumsMeanwhile && telemetry.prepare(Date.parse(now), never)])
          sent.push(...messages.flat())
          await points(bssid, { range: 'year', zone: chartZone })
        }
        return [...Map.groupBy(sent, one => one.at).values()].map(([first]) => first!)
      }
      await fc.assert(
        fc.asyncProperty(fleet, fc.func(fc.boolean()), async (roundsOfDevices, repeats) => {
          setClock(now)
          const sent = new Map<string, Reading[]>()
          for (const allRounds of roundsOfDevices) {
            const bssid = await newDevice(db)
            sent.set(bssid, await send(bssid, allRounds, repeats))
          }
          for (const zone of zones)
            for (const range of ranges) {
              const ask = { range, zone }
              for (const edges of [newestEdges(ask), periodEdges(ask)]) {
                const found = await pointsOfDevices([...sent.keys()], ask, edges)
                for (const [bssid, once] of sent)
                  expect(differences(found.get(bssid)!, pointsOf(once, edges)), `${range} in ${zone}`).toEqual([])
              }
            }
          for (const [bssid, once] of sent) {
            const [twin] = await db.select().from(deviceTwins).where(eq(deviceTwins.bssid, bssid))
            const device = await deviceRow(db, bssid)
            expect(twin!.feed - device.feed).toBeCloseTo(pointOf(once).feed ?? 0, 6)
            expect(twin!.permeate - device.permeate).toBeCloseTo(pointOf(once).permeate ?? 0, 6)
            const keys = once.map(one => ({ bssid, at: Date.parse(one.at) }))
            expect(await telemetry.read(keys)).toHaveLength(once.length)
          }
        }),
        // On a busy machine fewer runs are enough, so that a failure is reported before the test times out.
        { numRuns: 3, interruptAfterTimeLimit: 90_000 },
      )
    })
  })

  describe('imported history', () => {
    test('of a UTC day counts for the local day that contains its middle, in addition to readings', async () => {
      setClock(now)
      const bssid = await newDevice(db)
      await telemetry.importRollups(db, 'day', [
        rollupAt(bssid, '2026-03-10T00:00:00Z', 100),
        rollupAt(bssid, '2026-07-18T00:00:00Z', 50),
      ])
      const zones = {
        UTC: ['2026-03-10T00:00:00.000Z', '2026-07-18T00:00:00.000Z'],
        'Europe/Berlin': ['2026-03-09T23:00:00.000Z', '2026-07-17T22:00:00.000Z'],
        'Pacific/Auckland': ['2026-03-10T11:00:00.000Z', '2026-07-18T12:00:00.000Z'],
      }
      for (const [zone, [first, second]] of Object.entries(zones)) {
        const ask = { range: 'year', zone } as const
        // The first request computes the days, and the second one reads the stored ones.
        for (const _ of [1, 2]) expect(await feeds(bssid, ask), zone).toEqual({ [first!]: 100, [second!]: 50 })
      }
      await ingest.add(bssid, [readingAt(Date.parse('2026-07-18T13:00:00Z'), { feed: 7 })])
      for (const [zone, [first, second]] of Object.entries(zones))
        expect(await feeds(bssid, { range: 'year', zone }), zone).toEqual({ [first!]: 100, [second!]: 57 })
    })

    test('of an hour without ten-minute rollups counts for the bucket that it starts in', async () => {
      setClock(now)
      const bssid = await newDevice(db)
      await telemetry.importRollups(db, 'hour', [
        rollupAt(bssid, '2026-07-17T18:00:00Z', 3),
        rollupAt(bssid, '2026-07-17T19:00:00Z', 4),
      ])
      // Midnight in Kolkata is at 18:30 UTC.
      const days = { '2026-07-16T18:30:00.000Z': 3, '2026-07-17T18:30:00.000Z': 4 }
      for (const _ of [1, 2]) expect(await feeds(bssid, { range: 'year', zone: 'Asia/Kolkata' })).toEqual(days)
      expect(await feeds(bssid, { range: 'week', zone: 'Asia/Kolkata' })).toEqual({
        '2026-07-17T17:30:00.000Z': 3,
        '2026-07-17T18:30:00.000Z': 4,
      })
    })

    test('is reported for devices with hours before a time, and with days', async () => {
      setClock(now)
      const [byHour, byDay, atLimit] = [await newDevice(db), await newDevice(db), await newDevice(db)]
      await telemetry.importRollups(db, 'hour', [
        rollupAt(byHour, '2026-07-17T18:00:00Z', 3),
        rollupAt(atLimit, '2026-07-18T10:00:00Z', 3),
      ])
      await telemetry.importRollups(db, 'day', [rollupAt(byDay, '2026-07-18T00:00:00Z', 3)])
      const before = Date.parse('2026-07-18T10:00:00Z')
      expect([...(await telemetry.devicesWithHistory(db, [byHour, byDay, atLimit], before))].toSorted()).toEqual(
        [byHour, byDay].toSorted(),
      )
    })
  })
}
