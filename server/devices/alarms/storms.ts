/** Joins what happened to devices of several vendors at once into one storm, for administrators. */
import { and, eq, gt, inArray, lte, max, sql } from 'drizzle-orm'
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import { anyOf } from '../../db/anyOf.ts'
import { stormLock } from '../../db/advisoryLocks.ts'
import type { Database } from '../../db/database.ts'
import { withRetry } from '../../db/retry.ts'
import { incidents, notifications } from '../../db/schema/notifications.ts'
import { incidentWindow, maxGrowth } from './incidentRules.ts'
import { carryOut, growingOf, lockIncidents, singlesOf, usualOf } from './incidentStore.ts'
import { planScattered, planStorms } from './stormRules.ts'

/** What the loss of a broker or of a network does to the devices of all vendors. */
const type = 'device_offline' satisfies NotificationType

/**
 * Finds the storms that new notifications belong to. Called after their incidents are stored; processes store storms one after the
 * other, so that the later of two sees what both have stored.
 */
export async function findStorms(db: Database, created: readonly string[]): Promise<void> {
  const [newest] = await db
    .select({ at: max(notifications.created_at) })
    .from(notifications)
    .where(and(eq(notifications.type, type), anyOf(notifications.id, created)))
  const at = newest?.at
  if (!at) return
  const vendors = (await scatteredAt(db, at)).plans.map(({ vendor }) => vendor)
  // Single devices go offline all the time, mostly without a storm: then no process waits for another.
  if (vendors.length === 0 && planStorms(await incidentsAround(db, at)).length === 0) return
  await withRetry(() =>
    db.transaction(async tx => {
      await tx.execute(sql`select pg_advisory_xact_lock(${stormLock})`)
      if (vendors.length > 0) await joinScattered(tx, at, vendors)
      for (const { storm, joining } of planStorms(await incidentsAround(tx, at)))
        await tx
          .update(incidents)
          .set({ storm_id: storm })
          .where(inArray(incidents.id, [...joining]))
    }),
  )
}

/** Returns the single devices of several vendors that went offline together, and what they are to join. */
async function scatteredAt(db: Database, at: Date) {
  const [singles, growing] = [await singlesOf(db, { type, at }), await growingOf(db, { type, at })]
  const usual = await usualOf(db, { type, at })
  return { singles, growing, plans: planScattered(singles, growing, usual) }
}

/** Adds single devices of these vendors to incidents of their vendors. */
async function joinScattered(tx: Database, at: Date, vendors: readonly string[]): Promise<void> {
  for (const vendor of vendors.toSorted()) await lockIncidents(tx, vendor, type)
  const { singles, growing, plans } = await scatteredAt(tx, at)
  for (const { vendor, plan } of plans)
    if (vendors.includes(vendor)) await carryOut(tx, { vendor, type }, plan, singles, growing)
}

/** Returns the incidents that began shortly before or after a time. */
const incidentsAround = (db: Database, at: Date) =>
  db
    .select({
      id: incidents.id,
      vendor: incidents.vendor_id,
      began_at: incidents.began_at,
      storm: incidents.storm_id,
    })
    .from(incidents)
    .where(
      and(
        eq(incidents.type, type),
        gt(incidents.began_at, new Date(at.getTime() - maxGrowth - incidentWindow)),
        lte(incidents.began_at, new Date(at.getTime() + incidentWindow)),
      ),
    )
