/** Statistics of a device: its readings aggregated by the buckets of a chart. */
import type * as z from 'zod/mini'
import type { Point, Range } from '../../../src/api/contract/statistics.ts'
import { isEnoughWater, recovery, rejection } from '../../../src/domain/ro.ts'
import type { Database } from '../../db/database.ts'
import { querySums, sumsOfDays } from '../../devices/ingest/days.ts'
import { sumsOfHours, sumsOfTenMinutes } from '../../devices/ingest/bucketSums.ts'
import type { Sums } from '../../devices/ingest/sums.ts'

/** Values in litres, l/min, %, ppm, bar and °C; null if there are no readings. */
export type Statistics = Omit<z.input<typeof Point>, 'at'>

export interface Grid {
  readonly range: Range
  readonly zone: string
  /** Start of each bucket and end of the last, milliseconds UTC. */
  readonly edges: readonly number[]
}

/**
 * Returns the statistics by the start of each bucket (milliseconds UTC), without empty buckets. A rollup belongs to the
 * bucket that contains its start.
 */
export async function statisticsOf(
  db: Database,
  bssid: string,
  grid: Grid,
  now: Date,
): Promise<ReadonlyMap<number, Statistics>> {
  const sumsByStart = await sumsOf(db, bssid, grid, now)
  return new Map([...sumsByStart].map(([at, sums]) => [at, statistics(sums)]))
}

/** Reads the rollups for a range: ten minutes for a day, hours for a week and a month, days for a year. */
async function sumsOf(
  db: Database,
  bssid: string,
  { range, zone, edges }: Grid,
  now: Date,
): Promise<Map<number, Sums>> {
  if (range === 'year') return sumsOfDays(db, bssid, zone, edges, now.getTime())
  const whole = [{ from: edges[0]!, to: edges.at(-1)! }]
  const finer = range === 'day' ? sumsOfTenMinutes(bssid, edges) : sumsOfHours(bssid, edges, whole, { history: false })
  return new Map((await querySums(db, finer)).map(sums => [edges[sums.bucket - 1]!, sums]))
}

function statistics(sums: Sums): Statistics {
  const { feed, permeate, flow } = sums
  const feedTds = mean(sums.feed_tds_sum, sums.feed_tds_count)
  const permeateTds = mean(sums.permeate_tds_sum, sums.permeate_tds_count)
  const enough = isEnoughWater(feed, permeate)
  return {
    feed: rounded(feed),
    permeate: rounded(permeate),
    waste: rounded(Math.max(0, feed - permeate)),
    production_rate: rounded(mean(sums.production_sum, sums.production_count)),
    recovery_rate: enough ? rounded(recovery(permeate, feed)) : null,
    instant_recovery_rate: enough && flow !== null && flow[1] !== null ? rounded(recovery(flow[2], flow[1])) : null,
    rejection_rate: feedTds === null || permeateTds === null ? null : rounded(rejection(feedTds, permeateTds)),
    feed_tds: rounded(feedTds),
    permeate_tds: rounded(permeateTds),
    pressure: rounded(mean(sums.pressure_sum, sums.pressure_count)),
    temperature: rounded(mean(sums.temperature_sum, sums.temperature_count)),
  }
}

const mean = (sum: number, count: number): number | null => (count === 0 ? null : sum / count)

/** Rounds to a millionth, the precision of readings, to remove floating-point tails. For output only. */
function rounded(value: number): number
function rounded(value: number | null): number | null
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e6) / 1e6
}
