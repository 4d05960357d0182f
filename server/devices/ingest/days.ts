/**
 * Daily rollups by time zone, computed from finer ones on first use and then stored.
 *
 * A day is stored from an hour after its end. Readings older than half an hour are late: the days that contain them are
 * deleted and recomputed on the next use. Both happen while the device's twin is locked, so that a day never misses
 * readings that are being stored. Days of zone '' are imported history: they are neither recomputed nor deleted.
 */
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { deviceTwins, readingDays } from '../../db/schema/telemetry.ts'
import { instant, sumsOfHours, times, type Span } from './bucketSums.ts'
import { rollupColumns } from './rollups.ts'
import { summedColumns, newestFlow, rollupValues, type Sums } from './sums.ts'
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
 * Returns the sums of the days between `edges` (milliseconds UTC: the start of each day and the end of the last) by
 * their start. Days without readings are absent.
 */
export async function sumsOfDays(
  db: Database,
  bssid: string,
  zone: string,
  edges: readonly number[],
  now: number,
): Promise<Map<number, Sums>> {
  const name = canonicalZone(zone)
  const sumsByDay = name === undefined ? new Map<number, Sums>() : await storedDays(db, bssid, name, edges)
  const days = edges.slice(0, -1).map((from, index) => ({ from, to: edges[index + 1]! }))
  const missing = days.filter(({ from }) => !sumsByDay.has(from))
  if (missing.length === 0) return sumsByDay

  const { grid, query } = daysQuery(bssid, missing)
  for (const sums of await querySums(db, query)) sumsByDay.set(grid[sums.bucket - 1]!, sums)
  const endedDays = missing.filter(({ from, to }) => sumsByDay.has(from) && to + msPerHour <= now)
  if (endedDays.length > 0 && name !== undefined) await storeDays(db, bssid, name, endedDays)
  return sumsByDay
}

/** Returns a query for the sums of these days from finer rollups; its buckets refer to `grid`. */
function daysQuery(bssid: string, days: readonly Span[]): { readonly grid: readonly number[]; readonly query: SQL } {
  const grid = [...new Set(days.flatMap(({ from, to }) => [from, to]))]
  return { grid, query: sumsOfHours(bssid, grid, mergeAdjacent(days), { history: true }) }
}

/** Recomputes days while the twin is locked, so that no reading is missed, and stores them. */
async function storeDays(db: Database, bssid: string, zone: string, days: readonly Span[]): Promise<void> {
  const { grid, query } = daysQuery(bssid, days)
  await db.transaction(async tx => {
    await tx.execute(sql`select from ${deviceTwins} where bssid = ${bssid} for share`)
    await tx.execute(sql`
      insert into ${readingDays} (bssid, zone, at, ${rollupColumns})
      select ${bssid}, ${zone}, (${times(grid)})[bucket], ${rollupValues} from (${query}) as computed
      on conflict do nothing`)
  })
}

/** Returns the stored days between `edges`, by their start. */
async function storedDays(
  db: Database,
  bssid: string,
  zone: string,
  edges: readonly number[],
): Promise<Map<number, Sums>> {
  const stored = await querySums(
    db,
    sql`select extract(epoch from at) * 1000 as bucket, ${summedColumns}, ${newestFlow} as flow from ${readingDays}
      where bssid = ${bssid} and zone = ${zone} and at >= ${instant(edges[0]!)} and at < ${instant(edges.at(-1)!)}`,
  )
  const starts = new Set(edges)
  return new Map(stored.filter(({ bucket }) => starts.has(bucket)).map(sums => [sums.bucket, sums]))
}

/** Returns the rows of a query, transferred as JSON: decoding hundreds of them value by value would take longer. */
export async function querySums(db: Database, query: SQL): Promise<Sums[]> {
  const { rows } = await db.execute<{ json: string | null }>(
    sql`select json_agg(row_to_json(sums))::text as json from (${query}) as sums`,
  )
  return JSON.parse(rows[0]?.json ?? '[]') as Sums[]
}

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
