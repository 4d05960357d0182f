/**
 * Daily rollups by time zone, computed from finer ones on first use and then stored.
 *
 * A day is stored from an hour after its end. Readings older than half an hour are late: the days that contain them are
 * deleted and recomputed on the next use. Both happen while the device's twin is locked, so that a day never misses
 * readings that are being stored. Days of zone '' are imported history: they are neither recomputed nor deleted.
 */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { deviceTwins, readingDays } from '../../db/schema/telemetry.ts'
import { sumsOfHours, type Span } from './bucketSums.ts'
import { appendMeans, type MeanColumns } from '../means.ts'
import { dayNumber, type Partitions } from './partitions.ts'
import { queryMeans } from './queryMeans.ts'
import { rollupColumns } from './rollups.ts'
import { summedColumns, newestFlow, rollupValues } from './sums.ts'
import { instant, keyArray, milliseconds, times } from './values.ts'
import { msPerHour } from '../../../src/domain/time.ts'

/** Upper bound for the length of a day in any zone: 25 hours where clocks go back, up to 26 in Antarctica. */
const maxDayLength = sql.raw(`interval '48 hours'`)

/** Deletes the stored days of all zones that contain these readings. The devices' twins must be locked. */
export async function deleteDaysOf(
  tx: Database,
  readings: readonly { readonly bssid: string; readonly at: number }[],
): Promise<void> {
  if (readings.length === 0) return
  const keys = `{${readings.map(({ bssid }) => bssid).join(',')}}`
  await tx.execute(sql`
    delete from ${readingDays} using
      (select distinct bssid, date_trunc('hour', late) as hour
       from unnest(${keys}::text::text[], ${times(readings.map(({ at }) => at))}) as input(bssid, late)) as late
    where ${readingDays.bssid} = late.bssid and ${readingDays.zone} <> ''
      and ${readingDays.at} < late.hour + interval '1 hour' and ${readingDays.at} > late.hour - ${maxDayLength}`)
}

/**
 * Returns the means of each device's days between `edges` (milliseconds UTC: the start of each day and the end of the
 * last). Days and devices without readings are absent. Days that were stored when the zone had other rules have starts
 * that are none of the edges.
 */
export async function meansOfDays(
  db: Database,
  partitions: Partitions,
  bssids: readonly string[],
  zone: string,
  edges: readonly number[],
  now: number,
): Promise<Map<string, MeanColumns>> {
  const name = canonicalZone(zone)
  const meansByDevice = name === undefined ? new Map<string, MeanColumns>() : await storedDays(db, bssids, name, edges)
  const days = edges.slice(0, -1).map((from, index) => ({ from, to: edges[index + 1]! }))
  const missingOf = (bssid: string) => {
    const stored = new Set(meansByDevice.get(bssid)?.start)
    return days.filter(({ from }) => !stored.has(from))
  }
  // Mostly the same days are missing of all devices, such as today.
  const groups = Map.groupBy(
    bssids.map(bssid => ({ bssid, missing: missingOf(bssid) })),
    ({ missing }) => missing.map(({ from }) => from).join(),
  )
  for (const group of groups.values()) {
    const { missing } = group[0]!
    if (missing.length === 0) continue
    const ids = group.map(({ bssid }) => bssid)
    for (const [bssid, computed] of await computeDays(db, partitions, ids, name, missing, now)) {
      const stored = meansByDevice.get(bssid)
      if (stored) appendMeans(stored, computed)
      else meansByDevice.set(bssid, computed)
    }
  }
  return meansByDevice
}

/**
 * Returns the means of days, computed from finer rollups, and stores those that have ended under the zone's name. The
 * twins stay locked during both, so that no reading is missed.
 */
async function computeDays(
  db: Database,
  partitions: Partitions,
  bssids: readonly string[],
  zone: string | undefined,
  days: readonly Span[],
  now: number,
): Promise<Map<string, MeanColumns>> {
  const edges = [...new Set(days.flatMap(({ from, to }) => [from, to]))]
  const query = sumsOfHours(bssids, edges, mergeAdjacent(days), { history: true })
  const ended = days.filter(({ to }) => to + msPerHour <= now)
  if (ended.length === 0 || zone === undefined) return queryMeans(db, query)
  const numberOf = ({ from }: Span) => dayNumber(from)
  const absent = await partitions.absent('reading_days', ended.map(numberOf))
  const storable = ended.filter(day => !absent.has(numberOf(day)))
  const meansByDevice = await db.transaction(async tx => {
    await tx.execute(sql`select from ${deviceTwins} where bssid = any(${keyArray(bssids)}) order by bssid for share`)
    return queryMeans(
      tx,
      sql`select * from computed`,
      sql`
      with computed as materialized (${query}),
      stored as (
        insert into ${readingDays} (bssid, zone, at, ${rollupColumns})
        select bssid, ${zone}, to_timestamp(start / 1000.0), ${rollupValues} from computed
        where start = any(${sql.param(storable.map(({ from }) => from))}::bigint[])
        on conflict do nothing
      )`,
    )
  })
  // Only for days with readings: anyone may ask for the chart of a year without any, and no partition of days is dropped.
  const starts = new Set([...meansByDevice.values()].flatMap(({ start }) => start))
  const unstored = ended.filter(day => starts.has(day.from) && absent.has(numberOf(day)))
  if (unstored.length === 0) return meansByDevice
  await partitions.ensure(['reading_days'], unstored.map(numberOf))
  return computeDays(db, partitions, bssids, zone, days, now)
}

/** Returns the means of the stored days between `edges`. */
const storedDays = (db: Database, bssids: readonly string[], zone: string, edges: readonly number[]) =>
  queryMeans(
    db,
    sql`select bssid, ${milliseconds(sql`at`)} as start, ${summedColumns}, ${newestFlow} as flow
      from ${readingDays}
      where bssid = any(${keyArray(bssids)}) and zone = ${zone}
        and at >= ${instant(edges[0]!)} and at < ${instant(edges.at(-1)!)}`,
  )

/** Merges adjacent days into spans. */
function mergeAdjacent(days: readonly Span[]): Span[] {
  const spans: Span[] = []
  for (const day of days) {
    const last = spans.at(-1)
    if (last?.to === day.from) spans[spans.length - 1] = { from: last.from, to: day.to }
    else spans.push(day)
  }
  return spans
}

const canonicalZones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])
/** Returns the canonical name of a zone, under which its days are stored; `undefined` for offsets such as +01:00. */
function canonicalZone(zone: string): string | undefined {
  if (canonicalZones.has(zone)) return zone
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
  return canonicalZones.has(timeZone) ? timeZone : undefined
}
