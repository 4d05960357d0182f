/** Flow at rest, hour by hour: a leak must not wait for the end of its day. */
import { inArray, sql } from 'drizzle-orm'
import { minRestFlow, restHours } from '../../../src/domain/health/thresholds.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { wallTime } from '../../../src/domain/zone.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import type { HealthDay } from './addHealthDays.ts'
import type { ObservedReading } from './production.ts'

/** Returns observations of flow at rest in the days of their devices' time zones, in the same order. */
export async function restInLocalDays(db: Database, resting: readonly ObservedReading[]): Promise<HealthDay[]> {
  if (resting.length === 0) return []
  const zones = await db
    .select({ bssid: devices.bssid, zone: devices.time_zone })
    .from(devices)
    .where(inArray(devices.bssid, [...new Set(resting.map(({ reading }) => reading.bssid))]))
  const zoneOf = new Map(zones.map(({ bssid, zone }) => [bssid, zone ?? 'UTC']))
  return resting.map(({ reading: { bssid, at }, sums }) => ({
    bssid,
    day: Math.floor(wallTime(zoneOf.get(bssid) ?? 'UTC', at) / msPerDay),
    sums,
  }))
}

/**
 * Makes the step of devices due whose stored hours are now a leak that no finding is open for. The step of the day is due
 * anyway, so nothing is lost if this is not done.
 */
export async function markLeaking(db: Database, days: readonly HealthDay[], now: Date): Promise<void> {
  const leaking = days.filter(({ sums }) => sums.rest_hours > 0)
  if (leaking.length === 0) return
  const at = sql`${now.toISOString()}::timestamptz`
  await db.execute(sql`
    update device_health as health set due_at = ${at}
    from unnest(${sql.param(leaking.map(({ bssid }) => bssid))}::text[], ${sql.param(leaking.map(({ day }) => day))}::integer[])
      as leaking (bssid, day)
    join health_days as days using (bssid, day)
    where health.bssid = leaking.bssid and health.due_at > ${at}
      and days.rest_hours >= ${restHours}::real and days.rest_litres >= ${minRestFlow}::real * days.rest_hours
      and not exists (select from health_findings as finding
        where finding.bssid = health.bssid and finding."group" = 'rest' and finding.state <> 'resolved')`)
}
