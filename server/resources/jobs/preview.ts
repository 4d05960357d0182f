/** Previews jobs: what would happen to each device, from the rules by which the job then runs. */
import { sql, type SQL } from 'drizzle-orm'
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import { maxJobIds, type JobPreview } from '../../../src/api/contract/jobs.ts'
import { waveSizes } from '../../../src/domain/jobs/waves.ts'
import { msPerMinute } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceModels } from '../../db/schema/models.ts'
import { unfitReason, unreachableReason, type DeviceKind, type DeviceOperation } from '../devices/bulk.ts'
import { withDefaults, type NewJob } from './create.ts'
import { firstStart } from './occurrences.ts'

/** Devices of a search that are named for each reason; ids are all named, as their number is limited. */
const maxFound = 100

/** Returns what a job would do now, without creating it. */
export async function previewJob(
  db: Database,
  { command, tasks, ...job }: NewJob,
  operation: DeviceOperation,
  now: Date,
): Promise<JobPreview> {
  const policy = withDefaults(command, job.policy)
  const skipped = new Map<string, { count: number; devices: string[] }>()
  let [total, count, waiting] = [0, 0, 0]
  const skip = (reason: string, group: DeviceGroup) => {
    const known = skipped.get(reason) ?? { count: 0, devices: [] }
    skipped.set(reason, { count: known.count + group.count, devices: known.devices.concat(group.devices) })
  }
  const maxDevices = 'search' in tasks.target ? maxFound : maxJobIds
  for (const group of await groupsOf(db, tasks.rows, maxDevices)) {
    total += group.count
    const unfit = group.reason ?? unfitReason(group, operation)
    const unreachable = unreachableReason(group)
    if (unfit !== undefined) skip(unfit, group)
    else if (unreachable === undefined) count += group.count
    else if ((policy.offline ?? 'skip') === 'skip') skip(unreachable, group)
    else waiting += group.count
  }
  const reasons = [...skipped].map(([reason, { count: n, devices }]) => ({
    reason,
    count: n,
    devices: devices.toSorted().slice(0, maxDevices),
  }))
  return {
    total,
    count,
    waiting,
    reasons: reasons.toSorted((a, b) => b.count - a.count),
    waves: wavesOf(policy, total, now),
  }
}

/** Devices with the same values in all that the rules look at. Even a large fleet has only some hundred groups. */
interface DeviceGroup extends DeviceKind {
  /** Why the devices are skipped whatever the command is; null otherwise. */
  readonly reason: string | null
  readonly count: number
  readonly devices: readonly string[]
}

async function groupsOf(db: Database, tasks: SQL, maxDevices: number): Promise<readonly DeviceGroup[]> {
  const { rows } = await db.execute<Record<string, unknown> & DeviceGroup>(sql`
    select task.reason, device.status, device.platform, device.firmware, coalesce(model.capabilities, '{}') as capabilities,
      count(*)::integer as count, (array_agg(task.bssid order by task.bssid))[1:${sql.raw(String(maxDevices))}] as devices
    from (${tasks}) as task
    left join ${devices} as device on device.bssid = task.bssid
    left join ${deviceModels} as model on model.id = device.model_id
    group by task.reason, device.status, device.platform, device.firmware, model.id`)
  return rows
}

/** Returns the waves. Each begins at the earliest at `at`, if tasks take no time. */
function wavesOf(policy: JobPolicy, total: number, now: Date): JobPreview['waves'] {
  let at = Math.max(now.getTime(), firstStart(policy.start, now).getTime())
  return waveSizes(policy.waves, total).map((size, index) => {
    const wave = { size, at: new Date(at).toISOString() }
    const sending = policy.rate === undefined ? 0 : (size / policy.rate) * msPerMinute
    at += sending + (policy.waves?.[index]?.wait ?? 0) * msPerMinute
    return wave
  })
}
