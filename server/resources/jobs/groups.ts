/** The devices of a job by what decides about them: even a large fleet has only some hundred groups. */
import { eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { isRecordCommand } from '../../../src/api/contract/jobs.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceValues } from '../../db/schema/deviceValues.ts'
import { deviceModels } from '../../db/schema/models.ts'
import { unfitReason, unreachableReason, type DeviceKind } from '../devices/bulk.ts'
import { operationOf, type OperationInput } from '../devices/operations.ts'
import { laterRecordOperationOf } from '../devices/recordOperations.ts'
import type { RecordOwner } from '../devices/records.ts'
import { ownDevices } from '../shared/scope.ts'
import type { NewJob } from './newJob.ts'
import { goneReason } from './rules.ts'

/** Devices with the same values in all that the rules look at. */
interface DeviceGroup extends DeviceKind, RecordOwner {
  /** Identifies the group: equal to `group_key` of its tasks in `groupedTasks`. */
  readonly key: string
  /** Why the devices are skipped whatever the command is; null otherwise. */
  readonly reason: string | null
  /** The values of these tasks, if they decide about the device and are not those of the job: of an undo. */
  readonly input: OperationInput | null
  readonly count: number
}

/** A group, and what would become of its tasks now. */
export interface DecidedGroup extends DeviceGroup {
  /** Why its devices are skipped; undefined if they get the command, now or later. */
  readonly skipped: string | undefined
  /** Whether the tasks wait for their devices. */
  readonly isWaiting: boolean
}

/** Returns the groups of a job's devices. */
export async function decideGroups(
  db: Database,
  job: Pick<NewJob, 'caller' | 'command' | 'input' | 'policy' | 'tasks'>,
): Promise<DecidedGroup[]> {
  const { command, input, policy } = job
  const unfitReasonOf = reasonsFor(db, job)
  const groups = await groupsOf(db, job)
  return Promise.all(
    groups.map(async group => {
      const unfit = group.reason ?? (await unfitReasonOf(group.input ?? input, group))
      const unreachable = isRecordCommand(command) ? undefined : unreachableReason(group)
      const waits = (policy.offline ?? 'skip') !== 'skip'
      const skipped = unfit ?? (waits ? undefined : unreachable)
      return { ...group, skipped, isWaiting: skipped === undefined && unreachable !== undefined }
    }),
  )
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

/** What decides about a device. */
const groupColumns = sql`fixed_reason, kind_input, status, platform, firmware, vendor_id, model_id`
const groupKey = sql`jsonb_build_array(${groupColumns})::text`

/**
 * Returns a query of the tasks (`bssid`, `state`, `reason`, `input`) with the columns that decide about their devices, and
 * their `group_key`. Devices that are not the caller's any more look like deleted ones.
 */
export function groupedTasks({ caller, command, tasks }: Pick<NewJob, 'caller' | 'command' | 'tasks'>): SQL {
  const isRecord = isRecordCommand(command)
  // What the rules do not look at is left out, so that there are fewer groups.
  const ofSent = (column: SQLWrapper) => (isRecord ? sql`null` : sql`${column}`)
  const ofInput = command === 'update_firmware' || isRecord ? sql`task.input` : sql`null::jsonb`
  return sql`
    select found.*, ${groupKey} as group_key
    from (
      select task.*, ${ofSent(deviceValues.status)} as status, ${ofSent(devices.platform)} as platform,
        ${ofSent(devices.firmware)} as firmware, ${ofSent(devices.model_id)} as model_id,
        ${isRecord ? sql`${devices.vendor_id}` : sql`null`} as vendor_id, ${ofInput} as kind_input,
        coalesce(task.reason, case when ${devices.bssid} is null then ${goneReason} end) as fixed_reason
      from (${tasks.rows}) as task
      left join ${devices} on ${devices.bssid} = task.bssid and ${ownDevices(caller) ?? sql`true`}
      left join ${deviceValues} on ${eq(deviceValues.bssid, devices.bssid)}) as found`
}

async function groupsOf(
  db: Database,
  job: Pick<NewJob, 'caller' | 'command' | 'tasks'>,
): Promise<readonly DeviceGroup[]> {
  // Grouped by the columns: the key of each of 100,000 devices takes longer than all else.
  const { rows } = await db.execute<Record<string, unknown> & DeviceGroup>(sql`
    select grouped.key, grouped.fixed_reason as reason, grouped.kind_input as input, grouped.status, grouped.platform,
      grouped.firmware, grouped.vendor_id as vendor, owner.company_name as company,
      coalesce(model.capabilities, '{}') as capabilities, grouped.count
    from (
      select ${groupKey} as key, ${groupColumns}, count(*)::integer as count
      from (${groupedTasks(job)}) as task group by ${groupColumns}) as grouped
    left join ${deviceModels} as model on model.id = grouped.model_id
    left join ${accounts} as owner on owner.id = grouped.vendor_id`)
  return rows
}

/** Returns the ids of the devices in groups with these keys, in order: at most `max` of each group. */
export async function devicesOfGroups(
  db: Database,
  job: Pick<NewJob, 'caller' | 'command' | 'tasks'>,
  { keys, max }: { readonly keys: readonly string[]; readonly max: number },
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (keys.length === 0) return new Map()
  // As JSON and in order, because parsing an array of 100,000 and sorting it keep the server from other calls.
  const { rows } = await db.execute<{ key: string; devices: readonly string[] }>(sql`
    select group_key as key, to_json((array_agg(bssid order by bssid collate "C"))[1:${sql.raw(String(max))}]) as devices
    from (${groupedTasks(job)}) as task where group_key = any(${sql.param(keys)}::text[]) group by group_key`)
  return new Map(rows.map(row => [row.key, row.devices]))
}
