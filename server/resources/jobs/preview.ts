/** Previews jobs: what would happen to each device, from the rules by which the job then runs. */
import { sql } from 'drizzle-orm'
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import { maxJobIds, type JobPreview } from '../../../src/api/contract/jobs.ts'
import { waveSizes } from '../../../src/domain/jobs/waves.ts'
import { nextOpening } from '../../../src/domain/jobs/window.ts'
import { msPerMinute } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { leftReason, withDefaults } from './create.ts'
import { decideGroups, devicesOfGroups, groupedTasks, type DecidedGroup } from './groups.ts'
import type { NewJob } from './newJob.ts'
import { firstStart } from './occurrences.ts'
import { mostFrequent } from './versions.ts'

/** Devices that are named for each reason: as many as a job can be given by ids. */
const maxNamed = maxJobIds

/** Returns what a job would do now, without creating it. */
export async function previewJob(db: Database, newJob: NewJob, now: Date): Promise<JobPreview> {
  const job = { ...newJob, policy: withDefaults(newJob.command, newJob.policy) }
  const skipped = new Map<string, DecidedGroup[]>()
  const versions = new Map<string, number>()
  let [total, count, waiting] = [0, 0, 0]
  const isUpdate = job.command === 'update_firmware'
  for (const group of await decideGroups(db, job)) {
    // An undo creates no task for devices whose values it cannot restore.
    if (group.reason !== leftReason) total += group.count
    if (isUpdate && group.reason === null)
      versions.set(group.firmware, (versions.get(group.firmware) ?? 0) + group.count)
    if (group.skipped !== undefined) skipped.set(group.skipped, [...(skipped.get(group.skipped) ?? []), group])
    else if (group.isWaiting) waiting += group.count
    else count += group.count
  }
  const reasons = await namedReasons(db, job, skipped)
  const zones = job.policy.window ? await zonesOf(db, job) : []
  return {
    total,
    count,
    waiting,
    reasons: reasons.toSorted((a, b) => b.count - a.count),
    waves: wavesOf(job.policy, { total: count + waiting, zones }, now),
    ...(isUpdate && { versions: mostFrequent([...versions].map(([version, n]) => ({ version, count: n }))) }),
  }
}

/** Returns why devices are skipped, with how many and which they are. */
async function namedReasons(
  db: Database,
  job: NewJob,
  skipped: ReadonlyMap<string, readonly DecidedGroup[]>,
): Promise<JobPreview['reasons']> {
  const keys = [...skipped.values()].flat().map(({ key }) => key)
  const devices = await devicesOfGroups(db, job, { keys, max: maxNamed })
  return [...skipped].map(([reason, groups]) => ({
    reason,
    count: groups.reduce((sum, group) => sum + group.count, 0),
    devices: groups
      .flatMap(({ key }) => devices.get(key) ?? [])
      .toSorted()
      .slice(0, maxNamed),
  }))
}

/** Returns the time zones of a job's devices, in which its window opens. */
async function zonesOf(db: Database, job: NewJob): Promise<string[]> {
  const { rows } = await db.execute<{ zone: string }>(sql`
    select distinct coalesce(${devices.time_zone}, 'UTC') as zone
    from (${groupedTasks(job)}) as task join ${devices} on ${devices.bssid} = task.bssid`)
  return rows.map(({ zone }) => zone)
}

/**
 * Returns the waves of `total` devices. Each begins at the earliest at `at`, if tasks take no time: when the window is open
 * for the first of its devices.
 */
function wavesOf(
  policy: JobPolicy,
  { total, zones }: { readonly total: number; readonly zones: readonly string[] },
  now: Date,
): JobPreview['waves'] {
  const { window } = policy
  const opening = (from: number) =>
    window === undefined || zones.length === 0 ? from : Math.min(...zones.map(zone => nextOpening(window, zone, from)))
  let at = Math.max(now.getTime(), firstStart(policy.start, now).getTime())
  return waveSizes(policy.waves, total).map((size, index) => {
    at = opening(at)
    const wave = { size, at: new Date(at).toISOString() }
    const sending = policy.rate === undefined ? 0 : (size / policy.rate) * msPerMinute
    at += sending + (policy.waves?.[index]?.wait ?? 0) * msPerMinute
    return wave
  })
}
