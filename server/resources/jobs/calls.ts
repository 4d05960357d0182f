/** The calls on many devices. Each is recorded as a job, which tells what became of each device. */
import { and, eq, sql } from 'drizzle-orm'
import { recordCommands, sendingCommands } from '../../../src/api/contract/jobs.ts'
import { msPerMinute } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { newOrderedId } from '../../db/id.ts'
import { withRetry } from '../../db/retry.ts'
import { jobs } from '../../db/schema/jobs.ts'
import { handler, isPreview, type Caller, type Handler, type Services } from '../../endpoints/handler.ts'
import {
  notFoundReason,
  planOf,
  runOnMany,
  type PlannedTask,
  type RecordCall,
  type TaskResult,
} from '../devices/bulk.ts'
import { operationOf, type OperationInput } from '../devices/operations.ts'
import { recordOperationOf } from '../devices/recordOperations.ts'
import { lockDevices, restorableValues } from '../devices/records.ts'
import { bulkResponse } from '../shared/bulkResponse.ts'

/** Milliseconds after which a call that has not ended was killed: longer than a thousand silent devices take. */
const callLease = 2 * msPerMinute

interface RecordedCall {
  readonly caller: Caller
  readonly command: string
  readonly input: OperationInput
}

type Body = OperationInput & { readonly ids: readonly string[] }

const sendingHandlers = Object.entries(sendingCommands).map(([command, endpoint]) =>
  handler(endpoint, async call => {
    const { ids, ...input } = call.body as Body
    const operation = await operationOf(command, input, call.services.db)
    return runOnMany(call, ids, operation, recordIn({ ...call, command, input }))
  }),
)

const recordHandlers = Object.entries(recordCommands).map(([command, endpoint]) =>
  handler(endpoint, async call => {
    const { ids, ...input } = call.body as Body
    const { services, caller } = call
    const { db, now } = services
    // Another call may be changing the devices or their events at the same time.
    const { operation, changed, isRecorded, response } = await withRetry(() =>
      db.transaction(async tx => {
        const operation = await recordOperationOf(tx, { command, input, scope: caller })
        const found = await lockDevices(tx, caller, ids, operation)
        operation.rejectTogether?.(found)
        const outcomes = new Map(found.map(device => [device.bssid, operation.blockedReason?.(device)]))
        if (isPreview(call))
          return { operation, changed: [], isRecorded: false, response: bulkResponse('Device', ids, outcomes) }
        const changing = found.filter(({ bssid }) => outcomes.get(bssid) === undefined)
        await operation.change(tx, changing, now())
        const before = new Map(changing.map(device => [device.bssid, restorableValues(operation, device)]))
        const plan = planOf(ids, outcomes, before)
        const isRecorded = isWorthRecording(plan)
        if (isRecorded) await insertCall(tx, { caller, command, input }, plan, { at: now(), isOver: true })
        const previous =
          operation.previousValues && new Map(found.map(device => [device.bssid, operation.previousValues!(device)]))
        return { operation, changed: changing, isRecorded, response: bulkResponse('Device', ids, outcomes, previous) }
      }),
    )
    if (isPreview(call)) return response
    call.affectedVendors(changed.map(({ vendor }) => vendor))
    if (isRecorded) publishCall(services, caller)
    await operation.committed?.(services, changed)
    return response
  }),
)

export const callHandlers: readonly Handler[] = [...sendingHandlers, ...recordHandlers]

/** Whether a call is recorded: not one on one device, nor one that finds none. Made-up ids could fill the database. */
const isWorthRecording = (plan: readonly PlannedTask[]): boolean =>
  plan.length >= 2 && plan.some(({ skipped }) => skipped !== notFoundReason)

const vendorOf = ({ role, account }: Caller): string | null => (role === 'vendor' ? account : null)

/** Publishes that a recorded call has changed. */
function publishCall({ bus }: Pick<Services, 'bus'>, caller: Caller): void {
  const vendors = new Set([vendorOf(caller), null])
  bus.publish({ kind: 'vendorResources', changes: [...vendors].map(vendor => ({ resource: 'jobs', vendor })) })
}

/** Returns what records a call as a job. Nobody claims its tasks: they are queued until the call ends them, or its lease is over. */
const recordIn =
  ({ services, ...call }: RecordedCall & { readonly services: Services }): RecordCall =>
  async plan => {
    if (!isWorthRecording(plan)) return async () => undefined
    const { db, background, now } = services
    const at = now()
    const id = await withRetry(() => db.transaction(tx => insertCall(tx, call, plan, { at, isOver: false })))
    publishCall(services, call.caller)
    return async results => {
      const end = () => endCall(db, id, results, { sentAt: at, now: now() })
      // The devices have executed the command. If the second attempt fails, too, the lease ends the tasks.
      await end().catch(() => background.defer('Could not record the result of a call', end))
      publishCall(services, call.caller)
    }
  }

/** Inserts the job of a call with its tasks, and returns its id. `isOver`: what was not skipped is done. */
async function insertCall(
  tx: Database,
  { caller, command, input }: RecordedCall,
  plan: readonly PlannedTask[],
  { at, isOver }: { readonly at: Date; readonly isOver: boolean },
): Promise<string> {
  const id = newOrderedId(at)
  await tx.insert(jobs).values({
    id,
    kind: 'call',
    account_id: caller.account,
    login: caller.login,
    vendor_id: vendorOf(caller),
    command,
    input,
    total: plan.length,
    target: { ids: plan.length },
    policy: {},
    waves: 1,
    wave: 0,
    wave_at: at,
    ...(isOver
      ? { state: 'ended', ended_at: at }
      : { state: 'running', lease_until: new Date(at.getTime() + callLease) }),
    created_at: at,
    start_at: at,
  })
  const rows = plan.map(({ bssid, skipped = null, before = null }) => ({ bssid, reason: skipped, before }))
  const state = isOver ? 'done' : 'queued'
  await tx.execute(sql`
    insert into job_tasks (job_id, bssid, wave, state, reason, before, ended_at)
    select ${id}, bssid, 0, case when reason is null then ${state} else 'skipped' end, reason, before,
      case when ${isOver} or reason is not null then ${at.toISOString()}::timestamptz end
    from json_to_recordset(${JSON.stringify(rows)}::json) as task (bssid text, reason text, before jsonb)`)
  return id
}

/** Ends a call and its tasks, unless its lease was over before. */
async function endCall(
  db: Database,
  id: string,
  results: readonly TaskResult[],
  { sentAt, now }: { readonly sentAt: Date; readonly now: Date },
): Promise<void> {
  await withRetry(() =>
    db.transaction(async tx => {
      if (results.length > 0)
        await tx.execute(sql`
          update job_tasks as task set state = result.state, reason = result.reason, attempts = 1,
            sent_at = ${sentAt.toISOString()}::timestamptz, ended_at = ${now.toISOString()}::timestamptz
          from json_to_recordset(${JSON.stringify(results)}::json) as result (bssid text, state text, reason text)
          where task.job_id = ${id} and task.bssid = result.bssid and task.state = 'queued'`)
      await tx
        .update(jobs)
        .set({ state: 'ended', ended_at: now, lease_until: null })
        .where(and(eq(jobs.id, id), eq(jobs.state, 'running')))
    }),
  )
}
