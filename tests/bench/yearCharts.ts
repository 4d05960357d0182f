/** The charts of a year for five devices, from the rollups of a hundred million readings. */
import { sql } from 'drizzle-orm'
import { addressOf, openPostgres } from '../../server/db/postgres.ts'
import { figure, progress, report, type Figure } from './figures.ts'
import { startPostgres } from '../support/postgres.ts'
import { startRealServer } from './realServer.ts'
import { signIn } from './session.ts'

/** With a reading a minute for a year these have 100,389,600. */
const devices = 191
const days = 365
const shown = 5
/** Milliseconds for all five together. */
const budget = { p95: 50 }
const rounds = 60
/** Zones whose days are computed for the first time. */
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Perth', 'Africa/Lagos', 'America/Lima']
const halfHours = ['Asia/Calcutta', 'Australia/Adelaide']

/** Inserts rollups of `seconds` each, for all devices and the whole year. */
const fill = (table: string, seconds: number) => sql`
  insert into ${sql.identifier(table)}
  select bssid, at, ${seconds / 60}::integer, ${seconds / 60} * 0.8, ${seconds / 60} * 0.3, ${seconds / 120} * 0.6,
    ${seconds / 120}::integer, ${seconds / 60} * (300 + random()), ${seconds / 60}::integer,
    ${seconds / 60} * (20 + random()), ${seconds / 60}::integer, ${seconds / 60} * 4.2, ${seconds / 60}::integer,
    ${seconds / 60} * 15.5, ${seconds / 60}::integer, at + interval '3 minutes', 1.2, 0.5
  from (select bssid from devices order by bssid limit ${devices}) as device,
    generate_series(date_trunc('hour', now()) - ${days} * interval '1 day', now(), ${seconds} * interval '1 second') as at`

export async function measureYearCharts(): Promise<Figure[]> {
  const postgres = await startPostgres({ durable: true })
  const server = await startRealServer(postgres.url, devices)
  const database = await openPostgres(addressOf(postgres.url))
  try {
    progress('Filling the rollups of 100 million readings …')
    await database.db.execute(fill('reading_ten_minutes', 600))
    await database.db.execute(fill('reading_hours', 3600))
    await database.db.execute(sql`vacuum analyze reading_ten_minutes, reading_hours`)
    const { rows } = await database.db.execute<{ bssid: string }>(
      sql`select bssid from devices order by md5(bssid) limit ${shown}`,
    )
    const { accessToken } = await signIn(server.url, 'admin')
    /** Returns the milliseconds for all charts, requested concurrently as the console does. */
    const charts = async (zone: string): Promise<number> => {
      const started = performance.now()
      await Promise.all(
        rows.map(async ({ bssid }) => {
          const query = new URLSearchParams({ range: 'year', zone }).toString()
          const answer = await fetch(`${server.url}/api/v3/devices/${bssid}?${query}`, {
            headers: { 'access-token': accessToken },
          })
          const body = await answer.text()
          if (!answer.ok) throw new Error(`A chart returned ${answer.status}: ${body}`)
        }),
      )
      return performance.now() - started
    }
    // The server's first responses are slower and not measured.
    for (let warm = 0; warm < 5; warm++) await charts('UTC')
    const first: number[] = []
    for (const zone of zones) first.push(await charts(zone))
    const firstHalf: number[] = []
    for (const zone of halfHours) firstHalf.push(await charts(zone))
    const again: number[] = []
    for (let round = 0; round < rounds; round++) again.push(await charts(zones[round % zones.length]!))
    return [
      figure('five year charts at once', 'ms', again, budget),
      figure('five year charts at once, in a zone for the first time', 'ms', first, null),
      figure('the same, in a zone of half hours', 'ms', firstHalf, null),
    ].map(report)
  } finally {
    await database.close()
    await server.remove()
    await postgres.stop()
  }
}
