/** Readings made for tests, and what charts must make of them: computed from the readings alone. */
import type { Point } from '../../../src/api/contract/statistics.ts'
import type { AlarmEvaluator } from '../../../server/devices/alarms/alarmEvaluator.ts'
import type { Database } from '../../../server/db/database.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { openDropCounter } from '../../../server/devices/gateway/rateLimit.ts'
import { openIngest, type Ingest } from '../../../server/devices/ingest/readings.ts'
import type { IngestOptions } from '../../../server/devices/ingest/ingestOptions.ts'
import type { Reading } from '../../../server/protocol/messages.ts'
import { afterAll } from 'vitest'
import type { TestServer } from './harness.ts'
import type * as z from 'zod/mini'

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** A reading of a device that produces, unless `values` say otherwise. `at`: milliseconds UTC. */
export const readingAt = (at: number, values: Partial<Reading> = {}): Reading => ({
  at: new Date(at).toISOString(),
  feed: 1,
  permeate: 0.4,
  feed_flow: 1.2,
  permeate_flow: 0.5,
  feed_tds: 300,
  permeate_tds: 15,
  pressure: 4.2,
  temperature: 14.5,
  ...values,
})

let made = 0
/** A new device, which was never heard from and has no past. Changes to its row as given. */
export async function newDevice(db: Database, values: Partial<typeof devices.$inferInsert> = {}): Promise<string> {
  const [like] = await db.select().from(devices).limit(1)
  const serial = (made++).toString(16).padStart(4, '0').toUpperCase()
  const bssid = `FE:00:00:00:${serial.slice(0, 2)}:${serial.slice(2)}`
  const { platform, model_id, vendor_id } = like!
  await db.insert(devices).values({ bssid, platform, model_id, vendor_id, ...values })
  return bssid
}

/** An alarm judge that keeps what it was told. */
export interface HeardAlarms extends AlarmEvaluator {
  readonly heard: {
    readonly what: keyof AlarmEvaluator
    readonly bssids: readonly string[]
    readonly values?: unknown
  }[]
}

export function hearingAlarms(): HeardAlarms {
  const heard: HeardAlarms['heard'] = []
  const note = async (what: keyof AlarmEvaluator, bssids: readonly string[], values?: unknown) => {
    heard.push(values === undefined ? { what, bssids } : { what, bssids, values })
  }
  const bssidsOf = (all: readonly { readonly bssid: string }[]) => all.map(({ bssid }) => bssid)
  return {
    heard,
    readings: fresh => note('readings', bssidsOf(fresh)),
    states: reported => note('states', bssidsOf(reported)),
    sweep: () => note('sweep', []),
    offline: bssids => note('offline', bssids),
    online: bssids => note('online', bssids),
    recordEvent: (type, bssids, values) => note('recordEvent', bssids, { type, ...values }),
  }
}

export interface TestParts extends IngestOptions {
  readonly alarms: HeardAlarms
}
/** What the taking in of messages works with, on a test's server; readings are kept for the usual 30 days. */
export function testParts(server: TestServer): TestParts {
  const { db, bus, clock } = server
  const log = { info: (text: string) => server.log.push(text), error: (text: string) => server.log.push(text) }
  const drops = openDropCounter({ log })
  afterAll(() => drops.close())
  return { db, bus, log, now: clock.now, alarms: hearingAlarms(), drops, rawDays: 30 }
}

export interface TestIngest extends Ingest {
  readonly parts: TestParts
}
export function testIngest(server: TestServer): TestIngest {
  const parts = testParts(server)
  const ingest = openIngest(parts)
  return {
    parts,
    add: (...given) => ingest.add(...given),
    get pending() {
      return ingest.pending
    },
    close: () => ingest.close(),
  }
}

type Shown = z.output<typeof Point>
/** A point of a chart, without its time; `null` everywhere where nothing was read. */
export type Expected = Omit<Shown, 'at'>

const nothing: Expected = {
  feed: null,
  permeate: null,
  waste: null,
  production_rate: null,
  recovery_rate: null,
  instant_recovery_rate: null,
  rejection_rate: null,
  feed_tds: null,
  permeate_tds: null,
  pressure: null,
  temperature: null,
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
const mean = (values: readonly (number | null)[]) => {
  const given = values.filter(value => value !== null)
  return given.length === 0 ? null : sum(given) / given.length
}
const share = (part: number | null, whole: number | null) =>
  part === null || whole === null || whole === 0 ? null : (part / whole) * 100

/** What a bucket shows of the readings in it, by the definitions of the specification. */
export function pointOf(readings: readonly Reading[]): Expected {
  if (readings.length === 0) return nothing
  const feed = sum(readings.map(one => one.feed))
  const permeate = sum(readings.map(one => one.permeate))
  const producing = readings
    .filter(one => (one.permeate_flow ?? 0) > 0)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const last = producing.at(-1)
  const feedTds = mean(readings.map(one => one.feed_tds))
  const permeateTds = mean(readings.map(one => one.permeate_tds))
  return {
    feed,
    permeate,
    waste: Math.max(0, feed - permeate),
    production_rate: mean(producing.map(one => one.permeate_flow)),
    recovery_rate: share(permeate, feed),
    instant_recovery_rate: last === undefined ? null : share(last.permeate_flow, last.feed_flow),
    rejection_rate: feedTds === null || permeateTds === null ? null : share(feedTds - permeateTds, feedTds),
    feed_tds: feedTds,
    permeate_tds: permeateTds,
    pressure: mean(readings.map(one => one.pressure)),
    temperature: mean(readings.map(one => one.temperature)),
  }
}

/** Charts are made of rollups, which belong to the bucket that holds their begin: they are as fine as this. */
const grain = 10 * minute

/** The points of a chart over these readings, `edges` being the buckets' begins and the last one's end. */
export function pointsOf(readings: readonly Reading[], edges: readonly number[]): Expected[] {
  const begin = ({ at }: Reading) => Math.floor(Date.parse(at) / grain) * grain
  return edges
    .slice(0, -1)
    .map((from, place) => pointOf(readings.filter(one => begin(one) >= from && begin(one) < edges[place + 1]!)))
}
