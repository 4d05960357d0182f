/** Groups new notifications into incidents: several devices of a vendor give the same type within two minutes. */
import { and, eq, sql } from 'drizzle-orm'
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import type { Database } from '../../db/database.ts'
import { withRetry } from '../../db/retry.ts'
import { incidents, notifications } from '../../db/schema/notifications.ts'
import { incidentWindow, minDevices, planIncidents } from './incidentRules.ts'
import { carryOut, growingOf, lockIncidents, singlesOf, usualOf, type Recent } from './incidentStore.ts'
import { findStorms } from './storms.ts'

/** Notifications of one type and vendor, up to the newest of them. */
type Group = Required<Recent>

/**
 * Adds new notifications to incidents. Called after they are stored, in transactions of their own: the later of two
 * processes that store notifications of an incident sees those of both.
 */
export async function findIncidents(db: Database, created: readonly string[]): Promise<void> {
  if (created.length === 0) return
  const groups = await groupsToPlan(db, created)
  for (const group of groups) await withRetry(() => db.transaction(tx => addTo(tx, group)))
  await findStorms(db, created)
}

/** Returns the groups of new notifications in which there is an incident, or there are enough devices for one. */
async function groupsToPlan(db: Database, created: readonly string[]): Promise<Group[]> {
  const { rows } = await db.execute<{ vendor: string; type: NotificationType; at: number }>(sql`
    select fresh.vendor, fresh.type, (extract(epoch from fresh.at) * 1000)::float8 as at
    from (
      select ${notifications.vendor_id} as vendor, ${notifications.type} as type, max(${notifications.created_at}) as at
      from ${notifications} where ${notifications.id} = any(${sql.param(created)}::text[]) group by 1, 2
    ) as fresh
    where exists (
      select from ${incidents} where ${and(eq(incidents.vendor_id, sql`fresh.vendor`), eq(incidents.type, sql`fresh.type`))}
        and ${incidents.last_at} > fresh.at - ${incidentWindow}::integer * interval '1 millisecond'
    ) or ${minDevices}::integer <= (
      select count(*) from (
        select distinct ${notifications.bssid} from ${notifications}
        where ${and(eq(notifications.vendor_id, sql`fresh.vendor`), eq(notifications.type, sql`fresh.type`))}
          and ${notifications.incident_id} is null and ${notifications.created_at} <= fresh.at
          and ${notifications.created_at} > fresh.at - ${incidentWindow}::integer * interval '1 millisecond'
        limit ${minDevices}
      ) as recent
    )
    order by 1, 2`)
  return rows.map(({ at, ...group }) => ({ ...group, at: new Date(at) }))
}

async function addTo(tx: Database, group: Group): Promise<void> {
  await lockIncidents(tx, group.vendor, group.type)
  const [singles, growing] = [await singlesOf(tx, group), await growingOf(tx, group)]
  for (const plan of planIncidents(singles, growing, await usualOf(tx, group)))
    await carryOut(tx, group, plan, singles, growing)
}
