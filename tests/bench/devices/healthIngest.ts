/** What health costs the ingest: the readings of two halves of a fleet are stored in turn, once with health and once without. */
import { asc } from 'drizzle-orm'
import { msPerHour, msPerMinute } from '../../../src/domain/time.ts'
import type { Database } from '../../../server/db/database.ts'
import { newId } from '../../../server/db/id.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { flushInterval, openHealthSums, type HealthSums } from '../../../server/devices/ingest/healthSums.ts'
import { dayNumber, openPartitions } from '../../../server/telemetry/postgres/partitions.ts'
import { openProduction, type Production } from '../../../server/devices/ingest/production.ts'
import { storeReadings } from '../../../server/telemetry/postgres/storeReadings.ts'
import type { ReceivedReading } from '../../../server/telemetry/store.ts'
import type { Bench, LongPart } from '../bench.ts'
import { figure, progress, quantile, report } from '../figures.ts'
import { openOwnDatabase } from './ownDatabase.ts'

/** Devices of a half, each with a reading a minute, and the readings of a batch. */
const half = 4_000
const batchSize = 1_000
/** One device in so many produces, for so many minutes. */
const producing = 25
const runLength = 3
/** Minutes after which the days of health are stored. */
const roundLength = flushInterval / msPerMinute
/** Rounds that are measured, and those before them that only warm up. */
const rounds = 12
const warmUp = 2
/** Percent of the rate without health that health may cost. */
const maxCost = 5

/** Returns the readings of all devices at a minute. */
function readingsAt(bssids: readonly string[], minute: number, start: number): ReceivedReading[] {
  const at = start + minute * msPerMinute
  return bssids.map((bssid, index) => {
    const runs = (index + Math.floor(minute / runLength)) % producing === 0
    const wander = 1 + Math.sin(index + minute) * 0.02
    const reading = {
      at: new Date(at).toISOString(),
      feed: runs ? 2 * wander : 0,
      permeate: runs ? 0.8 * wander : 0,
      feed_flow: runs ? 2 * wander : 0,
      permeate_flow: runs ? 0.8 * wander : 0,
      feed_tds: 320 * wander,
      permeate_tds: 16 * wander,
      pressure: 4.2 * wander,
      temperature: 15,
    }
    return { bssid, reading, at }
  })
}

/** Stores a batch, and returns the milliseconds that took with what `health` does before and afterwards. */
async function store(db: Database, readings: readonly ReceivedReading[], health?: Health): Promise<number> {
  const started = performance.now()
  const storedAt = readings[0]!.at
  const received = new Map(readings.map(({ bssid, at }) => [bssid, at]))
  const observe = await health?.production.prepare(db, { readings, received })
  const { fresh } = await storeReadings(db, { id: newId(), storedAt, readings, received })
  if (observe) health?.sums.add(observe(fresh))
  return performance.now() - started
}

interface Health {
  readonly production: Production
  readonly sums: HealthSums
}

async function measure(bench: Bench): Promise<void> {
  const db = await openOwnDatabase(bench, 2 * half)
  const rows = await db.select({ bssid: devices.bssid }).from(devices).orderBy(asc(devices.bssid))
  const bssids = rows.map(({ bssid }) => bssid)
  const start = Date.now()
  await openPartitions(db).ensure(['readings'], [dayNumber(start), dayNumber(start + msPerHour * 24)])
  const log = { info: () => undefined, error: (text: string, error: unknown) => progress(`${text}: ${String(error)}`) }
  const health = { production: openProduction(), sums: openHealthSums({ db, log, now: () => new Date() }) }
  bench.after(health.sums.close)
  const times: Record<'with' | 'without', number[]> = { with: [], without: [] }
  const halves = [bssids.slice(0, half), bssids.slice(half)]
  for (let round = 0; round < warmUp + rounds; round++) {
    const sum = { with: 0, without: 0 }
    for (let minute = round * roundLength; minute < (round + 1) * roundLength; minute++)
      // The order changes, so that neither half always comes after the other.
      for (const kind of minute % 2 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
        // The halves take turns as well: the rows of one may be quicker to find.
        const turn = kind === 'with' ? round : round + 1
        const readings = readingsAt(halves[turn % 2]!, minute, start)
        for (let from = 0; from < half; from += batchSize)
          sum[kind] += await store(db, readings.slice(from, from + batchSize), kind === 'with' ? health : undefined)
      }
    const started = performance.now()
    await health.sums.flush()
    sum.with += performance.now() - started
    if (round < warmUp) continue
    times.with.push(sum.with)
    times.without.push(sum.without)
  }
  const share = (quantile(times.without, 0.5) / quantile(times.with, 0.5)) * 100
  const count = (half * roundLength).toLocaleString('en')
  report(
    figure(`storing ${count} readings without health`, 'ms', times.without, null),
    figure(`storing ${count} readings with health`, 'ms', times.with, null),
    // A share has a minimum, so what is missing to the whole has a maximum.
    figure('share of the rate that health costs', '%', [100 - share], { max: maxCost }),
  )
}

export const healthIngestPart: LongPart = { limit: 5 * 60_000, measure }
