/** The calls that send a command to many devices. Each is recorded as a job, which records what became of each device. */
import { and, eq, sql } from 'drizzle-orm'
import { sendingCommands } from '../../../src/api/contract/jobs.ts'
import { msPerMinute } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { newOrderedId } from '../../db/id.ts'
import { withRetry } from '../../db/retry.ts'
import { jobs } from '../../db/schema/jobs.ts'
import { handler, type Caller, type Handler, type Services } from '../../endpoints/handler.ts'
import { notFoundReason, runOnMany, type PlannedTask, type RecordCall, type TaskResult } from '../devices/bulk.ts'
import { operationOf, type OperationInput } from '../devices/operations.ts'
import { replaceEarlier, vendorOfDevice } from './taskStore.ts'

/** Milliseconds after which a call that has not ended was killed: longer than a thousand silent devices take. */
const callLease = 2 * msPerMinute

export interface RecordedCall {
  readonly caller: Caller
  readonly command: string
  readonly input: OperationInput
}

/** The body of a call on many devices. */
export type Body = OperationInput & { readonly ids: readonly string[] }

export const sendingHandlers: readonly Handler[] = Object.entries(sendingCommands).map(([command, endpoint]) =>
  handler(endpoint, async call => {
    const { ids, ...input } = call.body as Body
    const operation = await operationOf(command, input, call.services.db)
    return runOnMany(call, ids, operation, recordIn({ ...call, command, input }))
  }),
)

/** Whether a call is recorded: not one on one device, nor one that finds none. Made-up ids could fill the database. */
export const isWorthRecording = (plan: readonly PlannedTask[]): boolean =>
  plan.length >= 2 && plan.some(({ skipped }) => skipped !== notFoundReason)

/** Publishes that a recorded call has changed. */
export function publishCall({ bus }: Pick<Services, 'bus'>, caller: Caller): void {
  const vendors = new Set([caller.vendor, null])
  bus.publish({ kind: 'vendorResources', changes: [...vendors].map(vendor => ({ resource: 'jobs', vendor })) })
}

/** Returns what records a call as a job. Nobody claims its tasks: they are queued until the call ends them, or its lease is over. */
const recordIn =
  ({ services, ...call }: RecordedCall & { readonly services: Services }): RecordCall =>
  async plan => {
    const { db, background, now } = services
    const at = now()
    if (!isWorthRecording(plan)) {
      await withRetry(() => replaceByCall(db, call, plan, { id: newOrderedId(at), at }))
      return async () => undefined
    }
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
export async function insertCall(
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
    vendor_id: caller.vendor,
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
    insert into job_tasks (job_id, bssid, device_vendor_id, wave, state, reason, before, ended_at)
    select ${id}, bssid, ${vendorOfDevice}, 0, case when reason is null then ${state} else 'skipped' end, reason, before,
      case when ${isOver} or reason is not null then ${at.toISOString()}::timestamptz end
    from json_to_recordset(${JSON.stringify(rows)}::json) as task (bssid text, reason text, before jsonb)`)
  await replaceByCall(tx, { command, input }, plan, { id, at })
  return id
}

/** Ends the tasks of earlier jobs that would later overwrite what a call sets. `id`: of the call, ordered by time. */
export function replaceByCall(
  db: Database,
  { command, input }: Pick<RecordedCall, 'command' | 'input'>,
  plan: readonly PlannedTask[],
  { id, at }: { readonly id: string; readonly at: Date },
): Promise<void> {
  const changing = plan.filter(({ skipped }) => skipped === undefined)
  return replaceEarlier(
    db,
    changing.map(({ bssid }) => ({ job_id: id, bssid, command, input })),
    at,
  )
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
