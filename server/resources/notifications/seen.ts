/** Seen and unseen notifications of accounts. */
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { shownChangeDays } from '../../../src/api/contract/health/fleet.ts'
import type { Unseen } from '../../../src/api/contract/notifications.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { healthFindings } from '../../db/schema/health.ts'
import { incidents, notifications } from '../../db/schema/notifications.ts'
import { supplyChanges } from '../../db/schema/supplies.ts'
import type { Caller } from '../../endpoints/handler.ts'
import { ownFindings, ownIncidents, ownNotifications, ownSupplyChanges } from '../shared/scope.ts'
import { seesStorms, shownIncident } from './storms.ts'

/** Maximum count: no badge shows more. */
const maxCounted = 1000

/**
 * Returns the number of unseen notifications, open findings and changes of supplies. An incident or storm counts as one. What is older than
 * the account does not count.
 */
export async function countUnseen(db: Database, caller: Caller, now: Date): Promise<Unseen> {
  const [account] = await db
    .select({ seen: accounts.notifications_seen_at, created: accounts.created_at })
    .from(accounts)
    .where(eq(accounts.id, caller.account))
  const seenUntil = account!.seen ?? account!.created
  const shownSince = new Date(now.getTime() - shownChangeDays * msPerDay)
  const newer = db
    .select({ one: sql`1` })
    .from(notifications)
    .where(and(ownNotifications(caller), isNull(notifications.incident_id), gt(notifications.created_at, seenUntil)))
    // Reads from the end of an index.
    .orderBy(sql`${notifications.created_at} desc`)
    .limit(maxCounted)
    .as('newer')
  const [counted] = await db.select({ n: sql<number>`count(*)::integer` }).from(newer)
  const [changed] = await db
    .select({ n: sql<number>`count(distinct ${shownIncident(seesStorms(caller))})::integer` })
    .from(incidents)
    .where(and(ownIncidents(caller), gt(incidents.last_at, seenUntil)))
  const notifiedFindings = await db.$count(
    healthFindings,
    and(ownFindings(caller), eq(healthFindings.state, 'open'), gt(healthFindings.told_at, seenUntil)),
  )
  const supplies = await db.$count(
    supplyChanges,
    and(
      ownSupplyChanges(caller),
      gt(supplyChanges.told_at, seenUntil),
      or(isNull(supplyChanges.ended_at), gt(supplyChanges.ended_at, shownSince)),
    ),
  )
  return {
    count: Math.min(maxCounted, counted!.n + changed!.n + notifiedFindings + supplies),
    seen_at: seenUntil.toISOString(),
  }
}

/** Marks notifications as seen up to a time, at most now. Returns whether the time advanced. */
export async function markSeenUntil(db: Database, account: string, until: Date, now: Date): Promise<boolean> {
  const at = new Date(Math.min(until.getTime(), now.getTime()))
  // PostgreSQL does not support all years of `Date`, and there are no notifications before 1970.
  if (at.getTime() <= 0) return false
  const changed = await db
    .update(accounts)
    .set({ notifications_seen_at: at })
    .where(
      and(
        eq(accounts.id, account),
        sql`coalesce(${accounts.notifications_seen_at}, ${accounts.created_at}) < ${at.toISOString()}::timestamptz`,
      ),
    )
    .returning({ id: accounts.id })
  return changed.length > 0
}
