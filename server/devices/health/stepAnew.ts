/** Lets the health of devices be computed again from their stored days, without losing what people have said and done. */
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'

/**
 * Begins the states of devices anew; their next steps, which are due at once, follow all stored days. Findings that these find
 * again keep their rows, with verdicts, shelves and notifications, and resets of baselines apply again on their days.
 * `devices`: a subquery of their `bssid`.
 */
export async function stepAnew(tx: Database, devices: SQL, now: Date): Promise<void> {
  await tx.execute(sql`
    update device_health as health set state = null, day = null, baselines = '{}'::jsonb, levels = '{}'::jsonb,
      scores = '[]'::jsonb, due_at = ${now.toISOString()}::timestamptz,
      earlier_day = greatest(health.day, health.earlier_day),
      earlier_findings = coalesce((select max(number) from health_findings as finding where finding.bssid = health.bssid), 0)
    where state is not null and bssid in (${devices})`)
  // An undone reset must not bring back a state from before.
  await tx.execute(sql`
    update baseline_resets set state = null where state is not null and bssid in (${devices})`)
}

/** SQL: whether a device is being stepped through the days that it was stepped through before. */
export const isSteppedAnew = (table: string): SQL =>
  sql.raw(`coalesce(${table}.day, 0) < coalesce(${table}.earlier_day, 0)`)
