/** Joins the incidents of several vendors whose devices went offline together into one storm, for administrators. */
import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import { stormLock } from '../../db/advisoryLocks.ts'
import type { Database } from '../../db/database.ts'
import { withRetry } from '../../db/retry.ts'
import { incidents } from '../../db/schema/notifications.ts'
import { incidentWindow, maxGrowth } from './incidentRules.ts'
import { planStorms } from './stormRules.ts'

/** What the loss of a broker or of a network does to the devices of all vendors. */
export const stormType = 'device_offline' satisfies NotificationType

/**
 * Finds the storms of the incidents that began shortly before or after a time. Called after incidents are stored; processes do so
 * one after the other, so that the later of two sees the incidents of both.
 */
export const findStorms = (db: Database, at: Date): Promise<void> =>
  withRetry(() =>
    db.transaction(async tx => {
      await tx.execute(sql`select pg_advisory_xact_lock(${stormLock})`)
      const recent = await tx
        .select({
          id: incidents.id,
          vendor: incidents.vendor_id,
          began_at: incidents.began_at,
          storm: incidents.storm_id,
        })
        .from(incidents)
        .where(
          and(
            eq(incidents.type, stormType),
            gt(incidents.began_at, new Date(at.getTime() - maxGrowth - incidentWindow)),
            lte(incidents.began_at, new Date(at.getTime() + incidentWindow)),
          ),
        )
      for (const { storm, joining } of planStorms(recent))
        await tx
          .update(incidents)
          .set({ storm_id: storm })
          .where(inArray(incidents.id, [...joining]))
    }),
  )
