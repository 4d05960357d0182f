import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'

/**
 * After many devices were written: fresh statistics and visibility, without which lists are sorted by reading every
 * row instead of one index. The embedded database does not do it by itself. Not inside a transaction.
 */
export async function vacuumDevices(db: Database): Promise<void> {
  await db.execute(sql`vacuum analyze devices, device_cartridges`)
}
