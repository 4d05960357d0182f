/** Previews jobs: what would happen to each device, from the rules by which the job then runs. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import { isRecordCommand, maxJobIds, type JobPreview } from '../../../src/api/contract/jobs.ts'
import { waveSizes } from '../../../src/domain/jobs/waves.ts'
import { msPerMinute } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceModels } from '../../db/schema/models.ts'
import type { Caller } from '../../endpoints/handler.ts'
import { unfitReason, unreachableReason, type DeviceKind } from '../devices/bulk.ts'
import { operationOf, type OperationInput } from '../devices/operations.ts'
import { laterRecordOperationOf } from '../devices/recordOperations.ts'
import type { RecordKind } from '../devices/records.ts'
import { ownDevices } from '../shared/scope.ts'
import { leftReason, withDefaults, type NewJob } from './create.ts'
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
  const isRecord = isRecordCommand(command)
  const unfitReasonOf = reasonsFor(db, { command, caller: job.caller })
  for (const group of await groupsOf(db, job.caller, { rows: tasks.rows, isUpdate, isRecord })) {
    // An undo creates no task for devices whose values it cannot restore.
    if (group.reason !== leftReason) total += group.count
    if (isUpdate && group.reason === null)
      versions.set(group.firmware, (versions.get(group.firmware) ?? 0) + group.count)
    const unfit = group.reason ?? (await unfitReasonOf(group.input ?? input, group))
    const unreachable = isRecord ? undefined : unreachableReason(group)
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

/** Returns a function with why a command with these values makes no sense on a device. */
function reasonsFor(db: Database, { command, caller }: Pick<NewJob, 'command' | 'caller'>) {
  const read = async (input: OperationInput): Promise<(group: DeviceGroup) => string | undefined> => {
    if (isRecordCommand(command)) {
      const { blockedReason } = await laterRecordOperationOf(db, { command, input, scope: caller })
      return group => blockedReason?.(group)
    }
    const operation = await operationOf(command, input, db)
    return group => unfitReason(group, operation)
  }
  const known = new Map<string, ReturnType<typeof read>>()
  return async (input: OperationInput, group: DeviceGroup): Promise<string | undefined> => {
    const key = JSON.stringify(input)
    const reasonOf = known.get(key) ?? read(input)
    known.set(key, reasonOf)
    return (await reasonOf)(group)
  }
}

/** Devices with the same values in all that the rules look at. Even a large fleet has only some hundred groups. */
interface DeviceGroup extends DeviceKind, RecordKind {
  /** Why the devices are skipped whatever the command is; null otherwise. */
  readonly reason: string | null
  /** The values of these tasks, if they decide about the device and are not those of the job: of an undo. */
  readonly input: OperationInput | null
  readonly count: number
  readonly devices: readonly string[]
}

/** Returns the devices of tasks by what decides about them. Devices that are not the caller's any more look like deleted ones. */
async function groupsOf(
  db: Database,
  caller: Caller,
  { rows: tasks, isUpdate, isRecord }: { readonly rows: SQL; readonly isUpdate: boolean; readonly isRecord: boolean },
): Promise<readonly DeviceGroup[]> {
  // What the rules do not look at is left out, so that there are fewer groups.
  const ofSent = (column: SQLWrapper) => (isRecord ? sql`null` : sql`${column}`)
  const { rows } = await db.execute<Record<string, unknown> & DeviceGroup>(sql`
    with found as (
      select task.bssid, ${ofSent(devices.status)} as status, ${ofSent(devices.platform)} as platform,
        ${ofSent(devices.firmware)} as firmware, ${ofSent(devices.model_id)} as model_id,
        ${isRecord ? sql`${devices.vendor_id}` : sql`null`} as vendor_id,
        ${isUpdate || isRecord ? sql`task.input` : sql`null::jsonb`} as input,
        coalesce(task.reason, case when ${devices.bssid} is null then ${goneReason} end) as reason
      from (${tasks}) as task
      left join ${devices} on ${devices.bssid} = task.bssid and ${ownDevices(caller) ?? sql`true`})
    select found.reason, found.input, found.status, found.platform, found.firmware, found.vendor_id as vendor,
      owner.company_name as company, coalesce(model.capabilities, '{}') as capabilities, count(*)::integer as count,
      (array_agg(found.bssid))[1:${sql.raw(String(maxNamed))}] as devices
    from found
    left join ${deviceModels} as model on model.id = found.model_id
    left join ${accounts} as owner on owner.id = found.vendor_id
    group by found.reason, found.input, found.status, found.platform, found.firmware, found.vendor_id, model.id, owner.id`)
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
