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
import { readGroups } from '../health/findingGroups.ts'
import { ownFindings, ownIncidents, ownNotifications, ownSupplyChanges } from '../shared/scope.ts'
import { seesStorms, shownIncident } from './storms.ts'

/** Maximum count: no badge shows more. */
const maxCounted = 1000

/**
 * Returns the number of unseen notifications, open findings and changes of supplies. An incident, a storm or a group of findings counts as one. What is older than
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
  const findings = await db
    .select({ id: healthFindings.id })
    .from(healthFindings)
    .where(and(ownFindings(caller), eq(healthFindings.state, 'open'), gt(healthFindings.told_at, seenUntil)))
    .limit(maxCounted)
  const supplies = await db.$count(
    supplyChanges,
    and(
      ownSupplyChanges(caller),
      gt(supplyChanges.told_at, seenUntil),
      or(isNull(supplyChanges.ended_at), gt(supplyChanges.ended_at, shownSince)),
    ),
  )
  return {
    count: Math.min(maxCounted, counted!.n + changed!.n + (await countLines(db, caller, findings)) + supplies),
    seen_at: seenUntil.toISOString(),
  }
}

/** Returns the number of lines that show these findings: those of a group are one. */
async function countLines(db: Database, caller: Caller, findings: readonly { readonly id: string }[]): Promise<number> {
  if (findings.length < 2) return findings.length
  const groupOf = new Map((await readGroups(db, caller)).flatMap(group => group.findings.map(id => [id, group._id])))
  return new Set(findings.map(({ id }) => groupOf.get(id) ?? id)).size
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
