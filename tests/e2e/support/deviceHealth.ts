/** Stores days of health, as if devices had sent readings for months. */
import { inArray } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { deviceHealth } from '../../../server/db/schema/health.ts'
import { stepSlice } from '../../../server/devices/health/step.ts'
import { storeDays, utcDay, type Course } from '../../server/support/health/healthSamples.ts'

/** Stores this many days of each device until yesterday, and computes what they tell. Devices without a course are well. */
export async function storeHealth(
  databaseUrl: string,
  days: number,
  devices: Readonly<Record<string, Course | undefined>>,
): Promise<void> {
  const db = drizzle(databaseUrl)
  const theirs = inArray(deviceHealth.bssid, Object.keys(devices))
  try {
    const now = new Date()
    const today = utcDay(now)
    for (const [bssid, course] of Object.entries(devices))
      await storeDays(db, bssid, { days, today, ...(course && { course }) })
    await db
      .update(deviceHealth)
      .set({ due_at: new Date(now.getTime() - 1) })
      .where(theirs)
    while ((await stepSlice(db, now)).hasMore);
    // The worker's server may have claimed some of them: it holds locks on their rows until their findings are stored.
    await db.select({ bssid: deviceHealth.bssid }).from(deviceHealth).where(theirs).for('update')
  } finally {
    await db.$client.end()
  }
}
