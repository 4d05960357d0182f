/** Statistics of devices: their readings aggregated by the buckets of a chart. */
import type * as z from 'zod/mini'
import type { Point, Range } from '../../../src/api/contract/statistics.ts'
import { isEnoughWater, recovery, rejection } from '../../../src/domain/ro.ts'
import type { Database } from '../../db/database.ts'
import { meansOfDays } from '../../devices/ingest/days.ts'
import { sumsOfHours, sumsOfTenMinutes } from '../../devices/ingest/bucketSums.ts'
import { queryMeans, type Means, type MeansByStart } from '../../devices/ingest/means.ts'

/** Values in litres, l/min, %, ppm, bar and °C; null if there are no readings. */
export type Statistics = Omit<z.input<typeof Point>, 'at'>

export interface Grid {
  readonly range: Range
  readonly zone: string
  /** Start of each bucket and end of the last, milliseconds UTC. */
  readonly edges: readonly number[]
}

/** By the start of each bucket, milliseconds UTC; without empty buckets. */
export type StatisticsByStart = ReadonlyMap<number, Statistics>

/** Returns the statistics of each device. A rollup belongs to the bucket that contains its start. */
export async function statisticsOf(
  db: Database,
  bssids: readonly string[],
  grid: Grid,
  now: Date,
): Promise<ReadonlyMap<string, StatisticsByStart>> {
  const meansByDevice = await meansOf(db, bssids, grid, now)
  return new Map(
    bssids.map(bssid => [
      bssid,
      new Map([...(meansByDevice.get(bssid) ?? [])].map(([at, means]) => [at, statistics(means)])),
    ]),
  )
}

/** Reads the rollups for a range: ten minutes for a day, hours for a week and a month, days for a year. */
async function meansOf(
  db: Database,
  bssids: readonly string[],
  { range, zone, edges }: Grid,
  now: Date,
): Promise<Map<string, MeansByStart>> {
  if (range === 'year') return meansOfDays(db, bssids, zone, edges, now.getTime())
  const whole = [{ from: edges[0]!, to: edges.at(-1)! }]
  return queryMeans(
    db,
    range === 'day' ? sumsOfTenMinutes(bssids, edges) : sumsOfHours(bssids, edges, whole, { history: false }),
  )
}

function statistics(means: Means): Statistics {
  const { feed, permeate, feed_tds, permeate_tds, last_feed_flow, last_permeate_flow } = means
  const enough = isEnoughWater(feed, permeate)
  return {
    feed: rounded(feed),
    permeate: rounded(permeate),
    waste: rounded(Math.max(0, feed - permeate)),
    production_rate: rounded(means.production_rate),
    recovery_rate: enough ? rounded(recovery(permeate, feed)) : null,
    instant_recovery_rate:
      enough && last_feed_flow !== null && last_permeate_flow !== null
        ? rounded(recovery(last_permeate_flow, last_feed_flow))
        : null,
    rejection_rate: feed_tds === null || permeate_tds === null ? null : rounded(rejection(feed_tds, permeate_tds)),
    feed_tds: rounded(feed_tds),
    permeate_tds: rounded(permeate_tds),
    pressure: rounded(means.pressure),
    temperature: rounded(means.temperature),
  }
}

/** Rounds to a millionth, the precision of readings, to remove floating-point tails. For output only. */
function rounded(value: number): number
function rounded(value: number | null): number | null
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e6) / 1e6
}
