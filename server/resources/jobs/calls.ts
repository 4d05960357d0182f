/** The calls that send a command to many devices. Each is recorded as a job, which tells what became of each device. */
import { and, eq, sql } from 'drizzle-orm'
import { jobCommands } from '../../../src/api/contract/jobs.ts'
import { msPerMinute } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { newOrderedId } from '../../db/id.ts'
import { withRetry } from '../../db/retry.ts'
import { jobs } from '../../db/schema/jobs.ts'
import { handler, type Caller, type Handler, type Services } from '../../endpoints/handler.ts'
import { notFoundReason, runOnMany, type PlannedTask, type RecordCall, type TaskResult } from '../devices/bulk.ts'
import { operationOf, type OperationInput } from '../devices/operations.ts'

/** Milliseconds after which a call that has not ended was killed: longer than a thousand silent devices take. */
const callLease = 2 * msPerMinute

interface RecordedCall {
  readonly caller: Caller
  readonly services: Services
  readonly command: string
  readonly input: OperationInput
}

export const callHandlers: readonly Handler[] = Object.entries(jobCommands).map(([command, endpoint]) =>
  handler(endpoint, async call => {
    const { ids, ...input } = call.body as OperationInput & { readonly ids: readonly string[] }
    const operation = await operationOf(command, input, call.services.db)
    return runOnMany(call, ids, operation, recordIn({ ...call, command, input }))
  }),
)

/**
 * Returns what records a call as a job. Nobody claims its tasks: they are queued until the call ends them, or its lease is
 * over. A call on one device is not recorded, nor one that finds none: made-up ids could fill the database.
 */
const recordIn =
  ({ caller, services, command, input }: RecordedCall): RecordCall =>
  async plan => {
    if (plan.length < 2 || plan.every(({ skipped }) => skipped === notFoundReason)) return async () => undefined
    const { db, bus, background, now } = services
    const [at, vendor] = [now(), caller.role === 'vendor' ? caller.account : null]
    const id = newOrderedId(at)
    const publish = () => {
      const vendors = new Set([vendor, null])
      bus.publish({ kind: 'vendorResources', changes: [...vendors].map(each => ({ resource: 'jobs', vendor: each })) })
    }
    const row = {
      id,
      kind: 'call' as const,
      account_id: caller.account,
      login: caller.login,
      vendor_id: vendor,
      command,
      input,
      total: plan.length,
      target: { ids: plan.length },
      policy: {},
      state: 'running' as const,
      waves: 1,
      wave: 0,
      wave_at: at,
      lease_until: new Date(at.getTime() + callLease),
      created_at: at,
      start_at: at,
    }
    await withRetry(() =>
      db.transaction(async tx => {
        await tx.insert(jobs).values(row)
        await insertPlan(tx, id, plan, at)
      }),
    )
    publish()
    return async results => {
      const end = () => endCall(db, id, results, { sentAt: at, now: now() })
      // The devices have executed the command. If the second attempt fails, too, the lease ends the tasks.
      await end().catch(() => background.defer('Could not record the result of a call', end))
      publish()
    }
  }

async function insertPlan(tx: Database, id: string, plan: readonly PlannedTask[], at: Date): Promise<void> {
  const rows = plan.map(({ bssid, skipped = null, before = null }) => ({ bssid, reason: skipped, before }))
  await tx.execute(sql`
    insert into job_tasks (job_id, bssid, wave, state, reason, before, ended_at)
    select ${id}, bssid, 0, case when reason is null then 'queued' else 'skipped' end, reason, before,
      case when reason is not null then ${at.toISOString()}::timestamptz end
    from json_to_recordset(${JSON.stringify(rows)}::json) as task (bssid text, reason text, before jsonb)`)
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
