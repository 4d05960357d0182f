/** The firmware versions that the devices of a job run. */
import { and, count, desc, eq } from 'drizzle-orm'
import { newestFirst, type VersionCount } from '../../../src/domain/jobs/versions.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { jobTasks } from '../../db/schema/jobs.ts'
import type { Caller } from '../../endpoints/handler.ts'
import { ownDevices } from '../shared/scope.ts'

/** Maximum versions listed: devices report them, so there could be as many as devices. */
const maxVersions = 100

/** Returns the `maxVersions` most frequent versions, newest first. */
export const mostFrequent = (versions: readonly VersionCount[]): VersionCount[] =>
  newestFirst(versions.toSorted((a, b) => b.count - a.count).slice(0, maxVersions))

/** Returns the versions that the devices of a job run now, newest first, of those that the caller may see. */
export async function versionsOf(db: Database, caller: Caller, job: string): Promise<VersionCount[]> {
  const devicesCount = count()
  const rows = await db
    .select({ version: devices.firmware, count: devicesCount })
    .from(jobTasks)
    .innerJoin(devices, and(eq(devices.bssid, jobTasks.bssid), ownDevices(caller)))
    .where(eq(jobTasks.job_id, job))
    .groupBy(devices.firmware)
    .orderBy(desc(devicesCount))
    .limit(maxVersions)
  return newestFirst(rows)
}
