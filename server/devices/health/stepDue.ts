/** Steps the health of devices that are due so that one whose step fails does not keep others from theirs. */
import { eq, lte } from 'drizzle-orm'
import { msPerHour } from '../../../src/domain/time.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import { isTransient } from '../../db/retry.ts'
import { deviceHealth } from '../../db/schema/health.ts'
import { databaseFailure } from '../../db/state.ts'
import { sliceSize } from './slice.ts'
import { stepNamed, stepSlice, type SliceResult } from './step.ts'

/** Milliseconds after which the step of a device that has failed is tried again. */
const postponement = msPerHour
/** Devices that are named in the log. */
const maxNamed = 10

/** Steps the next slice of devices that are due, without those whose step fails: they are logged, and due again in an hour. */
export async function stepDue(db: Database, log: Log, now: Date): Promise<SliceResult> {
  try {
    return await stepSlice(db, now)
  } catch (error) {
    if (!isOfDevice(error)) throw error
    const due = await db
      .select({ bssid: deviceHealth.bssid })
      .from(deviceHealth)
      .where(lte(deviceHealth.due_at, now))
      .orderBy(deviceHealth.due_at, deviceHealth.supply_key, deviceHealth.bssid)
      .limit(sliceSize)
    const bssids = due.map(({ bssid }) => bssid)
    const { changed, failed } = await stepParts(db, bssids, now)
    if (failed.length > 0) log.error(failureText(failed), error)
    return { hasMore: true, changed }
  }
}

/** Whether a step may have failed because of what is stored of a device, and not of the database or other servers. */
const isOfDevice = (error: unknown) => databaseFailure(error) === undefined && !isTransient(error)

const failureText = (bssids: readonly string[]) => {
  const names = bssids.slice(0, maxNamed).join(', ')
  const more = bssids.length > maxNamed ? ` and ${bssids.length - maxNamed} more` : ''
  return `Could not compute the health of devices, trying again in an hour: ${names}${more}`
}

interface Stepped {
  readonly changed: readonly string[]
  readonly failed: readonly string[]
}

/** Steps devices together, so that neighbours are compared, and if that fails, each half of them alone. */
async function stepParts(db: Database, bssids: readonly string[], now: Date): Promise<Stepped> {
  if (bssids.length === 0) return { changed: [], failed: [] }
  try {
    return { changed: await stepNamed(db, bssids, now), failed: [] }
  } catch (error) {
    if (!isOfDevice(error)) throw error
    if (bssids.length === 1) {
      await postpone(db, bssids[0]!, now)
      return { changed: [], failed: bssids }
    }
    const half = Math.ceil(bssids.length / 2)
    const parts = [await stepParts(db, bssids.slice(0, half), now), await stepParts(db, bssids.slice(half), now)]
    return { changed: parts.flatMap(({ changed }) => changed), failed: parts.flatMap(({ failed }) => failed) }
  }
}

async function postpone(db: Database, bssid: string, now: Date): Promise<void> {
  const due_at = new Date(now.getTime() + postponement)
  await db.update(deviceHealth).set({ due_at }).where(eq(deviceHealth.bssid, bssid))
}
