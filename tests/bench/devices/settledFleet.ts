/** A fleet that gives its server nothing to do, so that a bench measures what it asks for and nothing else. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../../server/db/database.ts'
import { deviceHealth } from '../../../server/db/schema/health.ts'
import { ageingChecks } from '../../../server/db/schema/notifications.ts'
import { silenceChecks } from '../../../server/db/schema/telemetry.ts'

/** Makes all devices silent already. A server would mark them as offline, some thousand a minute, while lists are measured. */
export async function silence(db: Database): Promise<void> {
  await db.execute(sql`update device_twins set offline_at = heard_at where offline_at is null`)
  await db.execute(sql`delete from ${silenceChecks}`)
}

/** Spreads what is due for each device once a day over the next day, as in a fleet that has run for days. */
export async function spreadDailyChecks(db: Database): Promise<void> {
  for (const dueTimes of [ageingChecks, deviceHealth])
    await db.execute(sql`insert into ${dueTimes} (bssid, due_at)
      select bssid, now() + random() * interval '1 day' from devices on conflict (bssid) do update set due_at = excluded.due_at`)
}
