/** Carries out claimed tasks that change records: in one transaction with the states of the tasks, so exactly once. */
import { sql } from 'drizzle-orm'
import { isRecordCommand, recordCommands } from '../../../src/api/contract/jobs.ts'
import { publishDeviceChange } from '../../bus/publishChanges.ts'
import type { Database } from '../../db/database.ts'
import { withRetry } from '../../db/retry.ts'
import { laterRecordOperationOf } from '../devices/recordOperations.ts'
import {
  lockDevices,
  restorableValues,
  type Effects,
  type LockedDevice,
  type RecordOperation,
} from '../devices/records.ts'
import { decide } from './rules.ts'
import { moveTasks, replaceEarlier, unsent, type ClaimedTask, type Move } from './taskStore.ts'

/** Whether a task changes records, so that nothing is sent for it. */
export const changesRecords = ({ command }: ClaimedTask): boolean => isRecordCommand(command)

/** Returns claimed tasks in batches: those of one make the same change for the same vendor. */
export const batchesOf = (claimed: readonly ClaimedTask[]): ClaimedTask[][] => [
  ...Map.groupBy(claimed, ({ vendor_id, command, input }) => JSON.stringify([vendor_id, command, input])).values(),
]

/**
 * Carries out a batch. A server that is killed before the end of the transaction has changed nothing, and its tasks are claimed
 * again; after it, they have ended.
 */
export async function runRecordTasks(batch: readonly ClaimedTask[], effects: Effects, now: () => Date): Promise<void> {
  const { command } = batch[0]!
  const { operation, changed } = await withRetry(() => effects.db.transaction(tx => changeIn(tx, batch, now())))
  if (changed.length === 0) return
  publishDeviceChange(effects.bus, recordCommands[command]!, {
    bssids: changed.map(({ bssid }) => bssid),
    vendors: changed.map(({ vendor }) => vendor),
  })
  await operation.committed?.(effects, changed)
}

async function changeIn(
  tx: Database,
  batch: readonly ClaimedTask[],
  now: Date,
): Promise<{ operation: RecordOperation; changed: readonly LockedDevice[] }> {
  const { vendor_id, command, input } = batch[0]!
  const scope = { vendor: vendor_id }
  const tasks = await lockTasks(tx, batch)
  const operation = await laterRecordOperationOf(tx, { command, input, scope })
  const bssids = tasks.map(({ bssid }) => bssid)
  const found = new Map((await lockDevices(tx, scope, bssids, operation)).map(device => [device.bssid, device]))
  const changed: LockedDevice[] = []
  const moves = tasks.map((task): Move => {
    const device = found.get(task.bssid)
    const target = device && {
      zone: device.time_zone,
      unfit: operation.blockedReason?.(device),
      unreachable: undefined,
    }
    const decision = decide({ ...task, target }, now.getTime())
    if (decision !== undefined || device === undefined) return { ...unsent(task), ...decision! }
    changed.push(device)
    const before = restorableValues(operation, device) ?? null
    return { ...unsent(task), state: 'done', reason: null, due_at: null, before }
  })
  await operation.change(tx, changed, now)
  await moveTasks(tx, moves, now)
  const isDone = new Set(changed.map(({ bssid }) => bssid))
  await replaceEarlier(
    tx,
    tasks.filter(({ bssid }) => isDone.has(bssid)),
    now,
  )
  return { operation, changed }
}

/** Locks those of the claimed tasks that this server still has, and returns them: its lease may have ended meanwhile. */
async function lockTasks(tx: Database, batch: readonly ClaimedTask[]): Promise<ClaimedTask[]> {
  const keys = batch.map(({ job_id, bssid, command_id }) => ({ job_id, bssid, command_id }))
  const { rows } = await tx.execute<{ command_id: string }>(sql`
    select task.command_id from job_tasks as task
    join json_to_recordset(${JSON.stringify(keys)}::json) as claimed (job_id text, bssid text, command_id text)
      on task.job_id = claimed.job_id and task.bssid = claimed.bssid and task.command_id = claimed.command_id
    where task.state = 'sent' order by task.bssid, task.job_id for update of task`)
  const own = new Set(rows.map(({ command_id }) => command_id))
  return batch.filter(({ command_id }) => own.has(command_id))
}
