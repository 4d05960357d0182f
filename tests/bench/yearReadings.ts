/** Years of readings as the server keeps them, and the call for the charts of several devices. */
import { sql } from 'drizzle-orm'
import { devices } from '../../src/api/contract/devices.ts'
import type { Database } from '../../server/db/database.ts'
import { dayNumber, openPartitions } from '../../server/telemetry/postgres/partitions.ts'

/** Inserts rollups of `seconds` each for the first devices, as of a reading a minute for some days until now. */
const fill = (table: string, seconds: number, count: number, days: number) => sql`
  insert into ${sql.identifier(table)}
  select bssid, at, ${seconds / 60}::integer, ${seconds / 60} * 0.8, ${seconds / 60} * 0.3, ${seconds / 120} * 0.6,
    ${seconds / 120}::integer, ${seconds / 60} * (300 + random()), ${seconds / 60}::integer,
    ${seconds / 60} * (20 + random()), ${seconds / 60}::integer, ${seconds / 60} * 4.2, ${seconds / 60}::integer,
    ${seconds / 60} * 15.5, ${seconds / 60}::integer, at + interval '3 minutes', 1.2, 0.5
  from (select bssid from devices order by bssid limit ${count}) as device,
    generate_series(date_trunc('hour', now()) - ${days} * interval '1 day', now(), ${seconds} * interval '1 second') as at
  on conflict do nothing`

/** Fills a year of ten minutes and five years of hours for the first devices by id, whose ids it returns. */
export async function fillYears(db: Database, count: number): Promise<string[]> {
  const today = dayNumber(Date.now())
  const daysBefore = (days: number) => Array.from({ length: days + 1 }, (_, ago) => today - ago)
  const partitions = openPartitions(db)
  await partitions.ensure(['reading_ten_minutes'], daysBefore(365))
  await partitions.ensure(['reading_hours'], daysBefore(5 * 365))
  await db.execute(fill('reading_ten_minutes', 600, count, 365))
  await db.execute(fill('reading_hours', 3600, count, 5 * 365))
  await db.execute(sql`vacuum analyze reading_ten_minutes, reading_hours`)
  const { rows } = await db.execute<{ bssid: string }>(sql`select bssid from devices order by bssid limit ${count}`)
  return rows.map(({ bssid }) => bssid)
}

/** Reads the charts of a year of several devices at once, as the console does; returns the milliseconds. */
export async function readYear(url: string, token: string, bssids: readonly string[], zone: string): Promise<number> {
  const started = performance.now()
  const query = new URLSearchParams({ ids: bssids.join(), range: 'year', zone }).toString()
  const answer = await fetch(`${url}${devices.statistics.path}?${query}`, { headers: { 'access-token': token } })
  const body = await answer.text()
  if (!answer.ok) throw new Error(`The charts returned ${answer.status}: ${body}`)
  return performance.now() - started
}
