/** Deletes what health keeps by day, and findings that have ended, once they are older than 400 days. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { msPerDay } from '../../../src/domain/time.ts'

const retentionDays = 400
/** Rows per statement. */
const batchSize = 5_000

export async function pruneHealth(db: Database, now: Date): Promise<void> {
  const day = Math.floor(now.getTime() / msPerDay) - retentionDays
  const before = new Date(day * msPerDay).toISOString()
  const conditions = {
    health_days: sql`day < ${day}`,
    supply_days: sql`day < ${day}`,
    supply_incidents: sql`ended_at < ${before}::timestamptz`,
    health_findings: sql`ended_at < ${before}::timestamptz`,
  }
  for (const [table, isOld] of Object.entries(conditions)) {
    for (let deleted = batchSize; deleted === batchSize;) {
      const { rows } = await db.execute<{ n: number }>(sql`
        with deleted as (
          delete from ${sql.identifier(table)} where ctid = any(array(
            select ctid from ${sql.identifier(table)} where ${isOld} limit ${batchSize}))
          returning 1
        )
        select count(*)::integer as n from deleted`)
      deleted = rows[0]!.n
    }
  }
}
