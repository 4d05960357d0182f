/** Chart statistics equal the sums of readings: for any order of arrival, in every zone, and across clock changes. */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { ranges, type Range } from '../../../../src/api/contract/statistics.ts'
import { bucketsOfPeriod, newestBuckets } from '../../../../src/domain/buckets.ts'
import { deviceTwins, readingDays, readings } from '../../../../server/db/schema/telemetry.ts'

import { writeRollups, type Rollup } from '../../../../server/devices/ingest/rollups.ts'
import type { Reading } from '../../../../server/protocol/messages.ts'
import { pointOf as bucketOf, statisticsOf } from '../../../../server/resources/devices/statistics.ts'
import { deviceRow } from '../../support/deviceRows.ts'
import { startServer } from '../../support/harness.ts'
import {
  hour,
  minute,
  newDevice,
  pointOf,
  pointsOf,
  readingAt,
  testIngest,
  type Expected,
} from '../../support/readingSamples.ts'

const server = await startServer()
const { db, clock } = server
const ingest = testIngest(server)
afterAll(() => ingest.close())

const setClock = (at: string) => clock.advance(Date.parse(at) - clock.now().getTime())

interface ChartQuery {
  readonly range: Range
  readonly zone: string
}
/** Returns the points of a chart, by default of the newest buckets. */
async function points(bssid: string, ask: ChartQuery, edges = newestEdges(ask)): Promise<Expected[]> {
  const series = (await statisticsOf(db, [bssid], { ...ask, edges }, clock.now())).get(bssid)!
  return edges.slice(0, -1).map((_, bucket) => bucketOf(series, bucket))
}

const newestEdges = ({ range, zone }: ChartQuery) => newestBuckets(range, clock.now().getTime(), zone).edges
const periodEdges = ({ range, zone }: ChartQuery) => bucketsOfPeriod(range, clock.now().getTime(), zone).edges

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

interface Case {
  readonly now: string
  /** The time of the first reading, ISO; the last one is at `now`. */
  readonly from: string
  readonly zones: readonly string[]
}
const around: Record<string, Case> = {
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
  'half and quarter hours': {
    now: '2026-07-03T18:20:00Z',
    from: '2026-06-29T00:00:00Z',
    zones: ['Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  },
}

describe.each(Object.entries(around))('rollups equal the sums over readings around %s', (_, { now, from, zones }) => {
  const span = [Date.parse(from), Date.parse(now)] as const
  const message = fc.array(anyReading(...span), { minLength: 1, maxLength: 12 })
  /** Concurrent messages, each round followed by reading a chart, whose stored days must follow late readings. */
  const rounds = fc.array(
    fc.record({ messages: fc.array(message, { maxLength: 4 }), look: fc.constantFrom(...zones) }),
    { minLength: 1, maxLength: 4 },
  )

  test('for late, repeated and unordered readings in several batches', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, fc.func(fc.boolean()), async (allRounds, repeats) => {
        setClock(now)
        const bssid = await newDevice(db)
        const sent: Reading[] = []
        for (const { messages, look } of allRounds) {
          const again = sent.filter(one => repeats(one.at))
          await Promise.all([...messages, again].filter(one => one.length > 0).map(one => ingest.add(bssid, one)))
          sent.push(...messages.flat())
          await points(bssid, { range: 'year', zone: look })
        }
        const once = [...Map.groupBy(sent, one => one.at).values()].map(([first]) => first!)
        for (const zone of zones)
          for (const range of ranges) {
            const ask = { range, zone }
            for (const edges of [newestEdges(ask), periodEdges(ask)])
              expect(
                differences(await points(bssid, ask, edges), pointsOf(once, edges)),
                `${range} in ${zone}`,
              ).toEqual([])
          }
        const [twin] = await db.select().from(deviceTwins).where(eq(deviceTwins.bssid, bssid))
        const device = await deviceRow(db, bssid)
        expect(twin!.feed - device.feed).toBeCloseTo(pointOf(once).feed ?? 0, 6)
        expect(twin!.permeate - device.permeate).toBeCloseTo(pointOf(once).permeate ?? 0, 6)
        expect(await db.$count(readings, eq(readings.bssid, bssid))).toBe(once.length)
      }),
      // On a busy machine fewer runs are enough, so that a failure is reported before the test times out.
      { numRuns: 12, interruptAfterTimeLimit: 20_000 },
    )
  })
})

const rollup = (bssid: string, at: string, feed: number): Rollup => ({
  bssid,
  at: Date.parse(at),
  readings: 10,
  feed,
  permeate: feed / 2,
  production_sum: 6,
  production_count: 10,
  feed_tds_sum: 3000,
  feed_tds_count: 10,
  permeate_tds_sum: 150,
  permeate_tds_count: 10,
  pressure_sum: 40,
  pressure_count: 10,
  temperature_sum: 200,
  temperature_count: 10,
  flow_at: Date.parse(at) + minute,
  last_feed_flow: 1.5,
  last_permeate_flow: 0.6,
})

describe('history written as rollups', () => {
  const now = '2026-07-20T12:00:00Z'
  /** Returns the feed of each bucket that has any, by its start. */
  async function feeds(bssid: string, ask: ChartQuery): Promise<Record<string, number | null>> {
    const edges = newestEdges(ask)
    const found = await points(bssid, ask)
    return Object.fromEntries(
      found.flatMap(({ feed }, place) => (feed === null ? [] : [[new Date(edges[place]!).toISOString(), feed]])),
    )
  }

  test('by UTC days counts for the day of a zone that contains its middle, in addition to readings', async () => {
    setClock(now)
    const bssid = await newDevice(db)
    await writeRollups(db, 'day', [
      rollup(bssid, '2026-03-10T00:00:00Z', 100),
      rollup(bssid, '2026-07-18T00:00:00Z', 50),
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

  test('is included also if days were stored before, and adds to existing rollups', async () => {
    setClock(now)
    const bssid = await newDevice(db)
    const ask = { range: 'year', zone: 'Europe/Berlin' } as const
    await writeRollups(db, 'hour', [rollup(bssid, '2026-07-01T10:00:00Z', 3)])
    expect(await feeds(bssid, ask)).toEqual({ '2026-06-30T22:00:00.000Z': 3 })
    await writeRollups(db, 'hour', [rollup(bssid, '2026-07-01T10:00:00Z', 4), rollup(bssid, '2026-07-02T10:00:00Z', 5)])
    expect(await feeds(bssid, ask)).toEqual({ '2026-06-30T22:00:00.000Z': 7, '2026-07-01T22:00:00.000Z': 5 })
  })

  test('by hours without ten-minute rollups counts for the bucket of their start', async () => {
    setClock(now)
    const bssid = await newDevice(db)
    await writeRollups(db, 'hour', [rollup(bssid, '2026-07-17T18:00:00Z', 3), rollup(bssid, '2026-07-17T19:00:00Z', 4)])
    // Midnight in Kolkata is at 18:30 UTC.
    const days = { '2026-07-16T18:30:00.000Z': 3, '2026-07-17T18:30:00.000Z': 4 }
    for (const _ of [1, 2]) expect(await feeds(bssid, { range: 'year', zone: 'Asia/Kolkata' })).toEqual(days)
    expect(await feeds(bssid, { range: 'week', zone: 'Asia/Kolkata' })).toEqual({
      '2026-07-17T17:30:00.000Z': 3,
      '2026-07-17T18:30:00.000Z': 4,
    })
  })
})

test('recovery needs 0.25 l of permeate or 2 l of feed; less is a gap and not a spike', async () => {
  setClock('2026-07-20T12:00:00Z')
  const bssid = await newDevice(db)
  const waters = [
    // A flush, and a flush with a sip.
    [1.99, 0],
    [1.5, 0.24],
    [0.6, 0.25],
    // A membrane that lets nothing through.
    [2, 0],
  ] as const
  const start = Date.parse('2026-07-20T08:00:00Z')
  await ingest.add(
    bssid,
    waters.map(([feed, permeate], at) => readingAt(start + at * 10 * minute, { feed, permeate, permeate_flow: 0.4 })),
  )
  const read = (await points(bssid, { range: 'day', zone: 'UTC' })).filter(({ feed }) => feed !== null)
  expect(read.map(point => point.recovery_rate)).toEqual([null, null, 41.666667, 0])
  expect(read.map(point => point.instant_recovery_rate !== null)).toEqual([false, false, true, true])
  expect(read.map(point => point.rejection_rate !== null)).toEqual([true, true, true, true])
})

test('days are stored under the canonical name of a zone, and not for each spelling', async () => {
  setClock('2026-07-20T12:00:00Z')
  const bssid = await newDevice(db)
  await ingest.add(bssid, [readingAt(Date.parse('2026-07-10T12:00:00Z'))])
  for (const zone of ['Asia/Kolkata', 'Asia/Calcutta', 'europe/BERLIN', '+05:30', '+01:00', 'UTC', 'Etc/UTC'])
    await points(bssid, { range: 'year', zone })
  const kept = await db.select({ zone: readingDays.zone }).from(readingDays).where(eq(readingDays.bssid, bssid))
  expect(kept.map(({ zone }) => zone).toSorted()).toEqual(['Asia/Calcutta', 'Europe/Berlin', 'UTC'])
})

test('today and a day that has just ended are not stored, because their readings may still arrive', async () => {
  setClock('2026-07-20T00:50:00Z')
  const bssid = await newDevice(db)
  await ingest.add(
    bssid,
    ['2026-07-18T12:00:00Z', '2026-07-19T12:00:00Z'].map(at => readingAt(Date.parse(at))),
  )
  await points(bssid, { range: 'year', zone: 'UTC' })
  const kept = await db.select({ at: readingDays.at }).from(readingDays).where(eq(readingDays.bssid, bssid))
  expect(kept.map(({ at }) => at.toISOString())).toEqual(['2026-07-18T00:00:00.000Z'])
})
