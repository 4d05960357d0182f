/** Fits the temperature coefficients of membrane types from what their devices have shown in the seasons. */
import { sql } from 'drizzle-orm'
import { fittedCorrection, minDegrees, type SeasonPoint } from '../../../src/domain/health/maths/coefficients.ts'
import { usualPriors } from '../../../src/domain/health/priors.ts'
import type { Database } from '../../db/database.ts'
import { membraneFits } from '../../db/schema/health.ts'
import { stepAnew } from './stepAnew.ts'

/** Devices of a type that are looked at, those with different seasons that are read, the days that each must have, and days between two. */
const maxCandidates = 5000
const maxDevices = 120
const minDays = 15
const stride = 9
/** Weeks between two old ones that are read. */
const weekStride = 2

interface FitDay extends Record<string, unknown> {
  readonly bssid: string
  readonly day: number
  readonly temperature: number
  readonly a: number | null
  readonly b: number | null
}

/**
 * Fits the membrane types that have no fit yet, if enough of their devices have readings from different seasons. The health
 * of these devices is then computed again from their stored days. Returns the number of fitted types.
 */
export async function fitMembranes(db: Database, now: Date): Promise<number> {
  const { rows: types } = await db.execute<{ id: string }>(sql`
    select id from cartridge_types as type
    where type = 2 and not exists (select from membrane_fits as fit where fit.cartridge_type_id = type.id) order by id`)
  let fitted = 0
  for (const { id } of types) if (await fitType(db, id, now)) fitted++
  return fitted
}

/** SQL: whether a stored day or week is read. */
const isRead = sql`n > 1
  and case when days = 1 then day % ${stride}::integer else (day + 3) / 7 % ${weekStride}::integer end = 0`

async function fitType(db: Database, id: string, now: Date): Promise<boolean> {
  const { rows } = await db.execute<FitDay>(sql`
    with candidate as materialized (
      select distinct bssid from device_cartridges where cartridge_type_id = ${id} order by bssid limit ${maxCandidates}
    ),
    device as materialized (
      select bssid from candidate join health_days using (bssid) where ${isRead} group by bssid
      having count(*) >= ${minDays} and max(temperature / n) - min(temperature / n) >= ${minDegrees}::float8
      order by bssid limit ${maxDevices}
    )
    select bssid, day, temperature / n as temperature, a_sum / nullif(a_n, 0) as a, b_sum / nullif(b_n, 0) as b
    from device join health_days using (bssid) where ${isRead}
    order by bssid, day`)
  const byDevice = [...Map.groupBy(rows, ({ bssid }) => bssid).values()]
  const water_k = fittedCorrection(seasons(byDevice, 'a'), usualPriors.flow_a_year)
  if (water_k === undefined) return false
  // 0 says that the salt is not fitted.
  const salt_k = fittedCorrection(seasons(byDevice, 'b'), usualPriors.salt_a_year) ?? 0
  await db.transaction(async tx => {
    const stored = await tx
      .insert(membraneFits)
      .values({ cartridge_type_id: id, water_k, salt_k, fitted_at: now })
      .onConflictDoNothing()
      .returning({ id: membraneFits.cartridge_type_id })
    // Another server has fitted it.
    if (stored.length === 0) return
    await stepAnew(tx, sql`select bssid from device_cartridges where cartridge_type_id = ${id}`, now)
  })
  return true
}

const year = 365.25

function seasons(devices: readonly (readonly FitDay[])[], channel: 'a' | 'b'): SeasonPoint[][] {
  return devices
    .map(days =>
      days.flatMap(({ day, temperature, [channel]: value }) =>
        value === null ? [] : [{ temperature, year: (day - days[0]!.day) / year, value }],
      ),
    )
    .filter(points => points.length >= minDays)
}
