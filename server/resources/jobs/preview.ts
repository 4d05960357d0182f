/** Previews jobs: what would happen to each device, from the rules by which the job then runs. */
import { sql, type SQL } from 'drizzle-orm'
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import { maxJobIds, type JobPreview } from '../../../src/api/contract/jobs.ts'
import { waveSizes } from '../../../src/domain/jobs/waves.ts'
import { msPerMinute } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceModels } from '../../db/schema/models.ts'
import type { Caller } from '../../endpoints/handler.ts'
import { unfitReason, unreachableReason, type DeviceKind, type DeviceOperation } from '../devices/bulk.ts'
import { operationOf } from '../devices/operations.ts'
import { ownDevices } from '../shared/scope.ts'
import { withDefaults, type NewJob } from './create.ts'
import { firstStart } from './occurrences.ts'
import { goneReason } from './rules.ts'
import { mostFrequent } from './versions.ts'

/** Devices that are named for each reason: as many as a job can be given by ids. */
const maxNamed = maxJobIds

/** Returns what a job would do now, without creating it. */
export async function previewJob(
  db: Database,
  { command, input, tasks, ...job }: NewJob,
  now: Date,
): Promise<JobPreview> {
  const policy = withDefaults(command, job.policy)
  const skipped = new Map<string, { count: number; devices: string[] }>()
  const versions = new Map<string, number>()
  let [total, count, waiting] = [0, 0, 0]
  const skip = (reason: string, group: DeviceGroup) => {
    const known = skipped.get(reason) ?? { count: 0, devices: [] }
    skipped.set(reason, { count: known.count + group.count, devices: known.devices.concat(group.devices) })
  }
  const isUpdate = command === 'update_firmware'
  const groups = await groupsOf(db, job.caller, { rows: tasks.rows, isUpdate })
  // An undo installs on each device the version that it had.
  const operations = new Map<string | null, DeviceOperation>()
  for (const { version } of groups)
    if (!operations.has(version))
      operations.set(version, await operationOf(command, version === null ? input : { ...input, version }, db))
  for (const group of groups) {
    const operation = operations.get(group.version)!
    total += group.count
    if (group.reason === null) versions.set(group.firmware, (versions.get(group.firmware) ?? 0) + group.count)
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
    devices: devices.toSorted().slice(0, maxNamed),
  }))
  return {
    total,
    count,
    waiting,
    reasons: reasons.toSorted((a, b) => b.count - a.count),
    waves: wavesOf(policy, total, now),
    ...(isUpdate && { versions: mostFrequent([...versions].map(([version, n]) => ({ version, count: n }))) }),
  }
}

/** Devices with the same values in all that the rules look at. Even a large fleet has only some hundred groups. */
interface DeviceGroup extends DeviceKind {
  /** Why the devices are skipped whatever the command is; null otherwise. */
  readonly reason: string | null
  /** The firmware version of these tasks, if it is not that of the job. */
  readonly version: string | null
  readonly count: number
  readonly devices: readonly string[]
}

/** Returns the devices of tasks by what decides about them. Devices that are not the caller's any more look like deleted ones. */
async function groupsOf(
  db: Database,
  caller: Caller,
  { rows: tasks, isUpdate }: { readonly rows: SQL; readonly isUpdate: boolean },
): Promise<readonly DeviceGroup[]> {
  const { rows } = await db.execute<Record<string, unknown> & DeviceGroup>(sql`
    with found as (
      select task.bssid, ${devices.status} as status, ${devices.platform} as platform, ${devices.firmware} as firmware,
        ${devices.model_id} as model_id, ${isUpdate ? sql`task.input ->> 'version'` : sql`null::text`} as version,
        coalesce(task.reason, case when ${devices.bssid} is null then ${goneReason} end) as reason
      from (${tasks}) as task
      left join ${devices} on ${devices.bssid} = task.bssid and ${ownDevices(caller) ?? sql`true`})
    select found.reason, found.version, found.status, found.platform, found.firmware,
      coalesce(model.capabilities, '{}') as capabilities, count(*)::integer as count,
      (array_agg(found.bssid order by found.bssid))[1:${sql.raw(String(maxNamed))}] as devices
    from found left join ${deviceModels} as model on model.id = found.model_id
    group by found.reason, found.version, found.status, found.platform, found.firmware, model.id`)
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
