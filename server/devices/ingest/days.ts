/**
 * Rollups by the days of a zone, made of finer ones when they are first asked for and then kept.
 *
 * A day is kept once it has been over for an hour. Readings that are older than half an hour are late: with them the
 * days that they fall into are dropped, to be made again. Both happen while the device's twin is held, so that no day is
 * made of what is just being stored. Days of zone '' are history: nothing makes them again, and nothing drops them.
 */
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { deviceTwins, readingDays } from '../../db/schema/telemetry.ts'
import { instant, sumsOfHours, times, type Span } from './bucketSums.ts'
import { rollupColumns } from './rollups.ts'
import { addedColumns, flowOf, storedSums, type Sums } from './sums.ts'

const hour = 3_600_000

/** Two days: no day of any zone is longer. Where clocks go back it has 25 hours, in Antarctica 26. */
const maxDayLength = sql.raw(`interval '48 hours'`)

/** Drops the kept days that these readings fall into, in every zone. Their devices' twins must be held. */
export async function dropDaysOf(
  tx: Database,
  readings: readonly { readonly bssid: string; readonly at: number }[],
): Promise<void> {
  if (readings.length === 0) return
  const keys = `{${readings.map(({ bssid }) => bssid).join(',')}}`
  await tx.execute(sql`
    delete from ${readingDays} using
      (select distinct bssid, date_trunc('hour', late) as hour
       from unnest(${keys}::text::text[], ${times(readings.map(({ at }) => at))}) as given(bssid, late)) as late
    where ${readingDays.bssid} = late.bssid and ${readingDays.zone} <> ''
      and ${readingDays.at} < late.hour + interval '1 hour' and ${readingDays.at} > late.hour - ${maxDayLength}`)
}

/**
 * The sums of the days between `edges` (milliseconds UTC, each a begin, the last one an end), by their begin; a day
 * without readings is absent.
 */
export async function sumsOfDays(
  db: Database,
  bssid: string,
  zone: string,
  edges: readonly number[],
  now: number,
): Promise<Map<number, Sums>> {
  const name = canonicalZone(zone)
  const found = name === undefined ? new Map<number, Sums>() : await storedDays(db, bssid, name, edges)
  const days = edges.slice(0, -1).map((from, place) => ({ from, to: edges[place + 1]! }))
  const missing = days.filter(({ from }) => !found.has(from))
  if (missing.length === 0) return found

  const { grid, query } = daysQuery(bssid, missing)
  for (const sums of await querySums(db, query)) found.set(grid[sums.bucket - 1]!, sums)
  const over = missing.filter(({ from, to }) => found.has(from) && to + hour <= now)
  if (over.length > 0 && name !== undefined) await storeDays(db, bssid, name, over)
  return found
}

/** The sums of these days, made of hours: buckets of `grid`, which is no longer than it must be. */
function daysQuery(bssid: string, days: readonly Span[]): { readonly grid: readonly number[]; readonly query: SQL } {
  const grid = [...new Set(days.flatMap(({ from, to }) => [from, to]))]
  return { grid, query: sumsOfHours(bssid, grid, mergeAdjacent(days), { history: true }) }
}

/** Makes these days again while nothing can be added to them, and keeps them. */
async function storeDays(db: Database, bssid: string, zone: string, days: readonly Span[]): Promise<void> {
  const { grid, query } = daysQuery(bssid, days)
  await db.transaction(async tx => {
    await tx.execute(sql`select from ${deviceTwins} where bssid = ${bssid} for share`)
    await tx.execute(sql`
      insert into ${readingDays} (bssid, zone, at, ${rollupColumns})
      select ${bssid}, ${zone}, (${times(grid)})[bucket], ${storedSums} from (${query}) as made
      on conflict do nothing`)
  })
}

async function storedDays(
  db: Database,
  bssid: string,
  zone: string,
  edges: readonly number[],
): Promise<Map<number, Sums>> {
  const stored = await querySums(
    db,
    sql`select extract(epoch from at) * 1000 as bucket, ${addedColumns}, ${flowOf} as flow from ${readingDays}
      where bssid = ${bssid} and zone = ${zone} and at >= ${instant(edges[0]!)} and at < ${instant(edges.at(-1)!)}`,
  )
  const begins = new Set(edges)
  return new Map(stored.filter(({ bucket }) => begins.has(bucket)).map(sums => [sums.bucket, sums]))
}

/** The rows of a query as one JSON text: decoding hundreds of them value by value takes longer than the query. */
export async function querySums(db: Database, query: SQL): Promise<Sums[]> {
  const { rows: found } = await db.execute<{ found: string | null }>(
    sql`select json_agg(row_to_json(sums))::text as found from (${query}) as sums`,
  )
  return JSON.parse(found[0]?.found ?? '[]') as Sums[]
}

/** Days that follow each other, as one span. */
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
/** The usual name of a zone, under which its days are kept; none of those that can be written in ever so many ways. */
function canonicalZone(zone: string): string | undefined {
  if (canonicalZones.has(zone)) return zone
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
  return canonicalZones.has(timeZone) ? timeZone : undefined
}
