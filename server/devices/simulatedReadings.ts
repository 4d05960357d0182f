import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { devices } from '../db/schema/devices.ts'

/** Devices in one statement: few enough that a list called meanwhile hardly feels it, with an index for every column. */
const slice = 20

/**
 * Lets the readings of the next devices after a key drift a little and their last activity be `at`. Offline devices
 * and silent sensors stay as they are. Returns the key to go on from; the empty one begins anew.
 */
export async function driftSlice(db: Database, after: string, at: Date): Promise<string> {
  const next = await db
    .select({ bssid: devices.bssid })
    .from(devices)
    .where(sql`${devices.bssid} > ${after}`)
    .orderBy(devices.bssid)
    .limit(slice)
  const last = next.at(-1)
  if (last === undefined) return ''
  // A step of at most one percent towards the middle of what homes have, so that nothing wanders off.
  const towards = (column: string, middle: number, digits: number) =>
    sql`round((${sql.identifier(column)} + (random() - 0.5) * 0.02 * ${middle}::float8
      + (${middle}::float8 - ${sql.identifier(column)}) * 0.001)::numeric, ${digits}::int)::float8`
  await db.execute(sql`
    update ${devices} set
      last_active = ${at.toISOString()}::timestamptz,
      temperature = ${towards('temperature', 16, 1)},
      pressure = ${towards('pressure', 4.5, 2)},
      feed_tds = ${towards('feed_tds', 350, 0)},
      permeate = permeate + working.litres,
      feed = round((feed + working.litres / 0.4)::numeric, 1)::float8,
      waste = round((waste + working.litres * 1.5)::numeric, 1)::float8
    from (select ${devices.bssid} as key, case when ${devices.status} = 1 then 0.5 else 0 end as litres
          from ${devices} where ${devices.bssid} > ${after} and ${devices.bssid} <= ${last.bssid}) as working
    where ${devices.bssid} = working.key and ${devices.status} <> 3`)
  return last.bssid
}
