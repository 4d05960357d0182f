import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'

/**
 * Updates planner statistics and the visibility map after many devices were written; without them, lists use sequential
 * scans. PGlite has no autovacuum. Must not run inside a transaction.
 */
export async function vacuumDevices(db: Database): Promise<void> {
  await db.execute(sql`vacuum analyze devices, device_values, device_cartridges`)
}
