/** Generated readings, and the chart points expected from them, computed from the readings alone. */
import type { Point } from '../../../../src/api/contract/statistics.ts'
import type { AlarmEvaluator } from '../../../../server/devices/alarms/alarmEvaluator.ts'
import type { Database } from '../../../../server/db/database.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { openDropCounter } from '../../../../server/devices/gateway/rateLimit.ts'
import { openIngest, type Ingest, type ReadingsOptions } from '../../../../server/devices/ingest/readings.ts'
import { openHealthSums } from '../../../../server/devices/ingest/healthSums.ts'
import { openUnsynced } from '../../../../server/devices/ingest/unsynced.ts'
import type { Reading } from '../../../../server/protocol/messages.ts'
import { afterAll } from 'vitest'
import { insertDevice, type NewDeviceRow } from './deviceRows.ts'
import type { TestServer } from '../harness.ts'
import type * as z from 'zod/mini'

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** Returns a reading of a producing device with the given values. `at`: milliseconds UTC. */
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

let deviceCount = 0
/** Creates a device without messages or history; `values` are its columns and newest values. */
export async function newDevice(db: Database, values: Partial<NewDeviceRow> = {}): Promise<string> {
  const [template] = await db.select().from(devices).limit(1)
  const serial = (deviceCount++).toString(16).padStart(4, '0').toUpperCase()
  const bssid = `FE:00:00:00:${serial.slice(0, 2)}:${serial.slice(2)}`
  const { platform, model_id, vendor_id } = template!
  await insertDevice(db, { bssid, platform, model_id, vendor_id, ...values })
  return bssid
}

/** An alarm evaluator that only records its calls, and marks devices as offline without storing that they are. */
export interface RecordedAlarms extends AlarmEvaluator {
  readonly calls: {
    readonly what: keyof AlarmEvaluator
    readonly bssids: readonly string[]
    readonly values?: unknown
  }[]
}

export function recordingAlarms(db: Database): RecordedAlarms {
  const calls: RecordedAlarms['calls'] = []
  const record = async (what: keyof AlarmEvaluator, bssids: readonly string[], values?: unknown) => {
    calls.push(values === undefined ? { what, bssids } : { what, bssids, values })
  }
  const bssidsOf = (all: readonly { readonly bssid: string }[]) => all.map(({ bssid }) => bssid)
  return {
    calls,
    readings: fresh => record('readings', bssidsOf(fresh)),
    states: reported => record('states', bssidsOf(reported)),
    recover: () => record('recover', []),
    sweep: () => record('sweep', []),
    prune: () => record('prune', []),
    offline: async mark => {
      const marked = await mark(db)
      if (marked.bssids.length > 0) await record('offline', marked.bssids)
      return marked
    },
    online: bssids => record('online', bssids),
    recordEvent: (_, type, bssids, values) => record('recordEvent', bssids, { type, ...values }),
  }
}

export interface TestParts extends ReadingsOptions {
  readonly alarms: RecordedAlarms
}
/** Returns the options of ingest for a test's server; readings are kept for 30 days, the default. */
export function testParts(server: TestServer): TestParts {
  const { db, telemetry, bus, clock } = server
  const log = { info: (text: string) => server.log.push(text), error: (text: string) => server.log.push(text) }
  const drops = openDropCounter({ log })
  afterAll(() => drops.close())
  const alarms = recordingAlarms(db)
  const healthSums = openHealthSums({ db, log, now: clock.now })
  afterAll(() => healthSums.close())
  return { db, telemetry, healthSums, bus, log, now: clock.now, alarms, drops, unsynced: openUnsynced(), rawDays: 30 }
}

/** An ingest that does not wait to store the days of health. */
export interface TestIngest extends Ingest {
  readonly parts: TestParts
}
export function testIngest(server: TestServer): TestIngest {
  const parts = testParts(server)
  const ingest = openIngest({ ...parts, batchInterval: 20 })
  return {
    parts,
    add: async (...args) => {
      await ingest.add(...args)
      await parts.healthSums.flush()
    },
    get pending() {
      return ingest.pending
    },
    close: () => ingest.close(),
  }
}

type Shown = z.output<typeof Point>
/** A chart point without its time; all values are null without readings. */
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
  const present = values.filter(value => value !== null)
  return present.length === 0 ? null : sum(present) / present.length
}
const share = (part: number | null, whole: number | null) =>
  part === null || whole === null || whole === 0 ? null : (part / whole) * 100

/** Returns the chart point of these readings, by the definitions of the specification. */
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
  const enough = permeate >= 0.25 || feed >= 2
  return {
    feed,
    permeate,
    waste: Math.max(0, feed - permeate),
    production_rate: mean(producing.map(one => one.permeate_flow)),
    recovery_rate: enough ? share(permeate, feed) : null,
    instant_recovery_rate: !enough || last === undefined ? null : share(last.permeate_flow, last.feed_flow),
    rejection_rate: feedTds === null || permeateTds === null ? null : share(feedTds - permeateTds, feedTds),
    feed_tds: feedTds,
    permeate_tds: permeateTds,
    pressure: mean(readings.map(one => one.pressure)),
    temperature: mean(readings.map(one => one.temperature)),
  }
}

/** The length of the shortest rollup. A rollup belongs to the bucket that contains its start. */
const grain = 10 * minute

/** Returns the chart points of these readings; `edges` are the starts of the buckets and the end of the last. */
export function pointsOf(readings: readonly Reading[], edges: readonly number[]): Expected[] {
  const begin = ({ at }: Reading) => Math.floor(Date.parse(at) / grain) * grain
  return edges
    .slice(0, -1)
    .map((from, place) => pointOf(readings.filter(one => begin(one) >= from && begin(one) < edges[place + 1]!)))
}
