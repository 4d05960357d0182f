/** Charts show what was read: whatever the order in which readings come, in every zone, also when clocks change. */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { ranges, type Range } from '../../src/api/contract/devices.ts'
import { bucketsOf } from '../../src/domain/buckets.ts'
import { devices } from '../../server/db/schema/devices.ts'
import { deviceTwins, readings } from '../../server/db/schema/telemetry.ts'

import type { Reading } from '../../server/devices/protocol/messages.ts'
import { statisticsOf } from '../../server/devices/readings.ts'
import { startServer } from './harness.ts'
import { hour, minute, newDevice, pointOf, pointsOf, testIngest, type Expected } from './readingSamples.ts'

const server = await startServer()
const { db, clock } = server
const ingest = testIngest(server)
afterAll(() => ingest.close())

const setClock = (at: string) => clock.advance(Date.parse(at) - clock.now().getTime())

interface Ask {
  readonly range: Range
  readonly zone: string
}
/** A chart's points that end with the day that is now. */
async function points(bssid: string, ask: Ask): Promise<Expected[]> {
  const edges = edgesOf(ask)
  const found = await statisticsOf(db, bssid, { ...ask, edges }, clock.now())
  return edges.slice(0, -1).map(edge => found.get(edge) ?? pointOf([]))
}

const edgesOf = ({ range, zone }: Ask) => bucketsOf(range, clock.now().getTime(), zone).edges

/** What differs, but for what is lost in the last digits. */
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

const sensor = (most: number) => fc.option(fc.integer({ min: 0, max: most * 100 }).map(value => value / 100))
/** Readings around the edges of buckets, and anywhere else in some days. */
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
  /** ISO times between which readings are. */
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
  /** Some messages at once, then a look at charts: what they keep must not outlast what comes late. */
  const rounds = fc.array(
    fc.record({ messages: fc.array(message, { maxLength: 4 }), look: fc.constantFrom(...zones) }),
    { minLength: 1, maxLength: 4 },
  )

  test('whatever comes late, twice, in disorder and in several batches', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, fc.func(fc.boolean()), async (given, repeats) => {
        setClock(now)
        const bssid = await newDevice(db)
        const sent: Reading[] = []
        for (const { messages, look } of given) {
          const again = sent.filter(one => repeats(one.at))
          await Promise.all([...messages, again].filter(one => one.length > 0).map(one => ingest.add(bssid, one)))
          sent.push(...messages.flat())
          await points(bssid, { range: 'year', zone: look })
        }
        const once = [...Map.groupBy(sent, one => one.at).values()].map(([first]) => first!)
        for (const zone of zones)
          for (const range of ranges) {
            const ask = { range, zone }
            expect(differences(await points(bssid, ask), pointsOf(once, edgesOf(ask))), `${range} in ${zone}`).toEqual(
              [],
            )
          }
        const [twin] = await db.select().from(deviceTwins).where(eq(deviceTwins.bssid, bssid))
        const [device] = await db.select().from(devices).where(eq(devices.bssid, bssid))
        expect(twin!.feed - device!.feed).toBeCloseTo(pointOf(once).feed ?? 0, 6)
        expect(twin!.permeate - device!.permeate).toBeCloseTo(pointOf(once).permeate ?? 0, 6)
        expect(await db.$count(readings, eq(readings.bssid, bssid))).toBe(once.length)
      }),
      // On a busy machine fewer will do, and a failure is told before the test's own time is over.
      { numRuns: 12, interruptAfterTimeLimit: 20_000 },
    )
  })
})
