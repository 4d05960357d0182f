/** Creates jobs: their devices are frozen to tasks in the transaction that creates the job. */
import { and, eq, isNotNull, ne, sql, type SQL } from 'drizzle-orm'
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import type { JobTarget } from '../../../src/api/contract/jobs.ts'
import { undoneStates } from '../../../src/domain/columns/jobs.ts'
import { waveSizes } from '../../../src/domain/jobs/waves.ts'
import { badRequest, conflict } from '../../core/errors.ts'
import type { Database } from '../../db/database.ts'
import { newOrderedId } from '../../db/id.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { jobIds, jobs, jobTasks, type JobRow } from '../../db/schema/jobs.ts'
import type { Caller } from '../../endpoints/handler.ts'
import { notFoundReason } from '../devices/bulk.ts'
import type { RecordOwner, RecordOperation } from '../devices/records.ts'
import type { Matches } from '../shared/list.ts'
import { ownDevices } from '../shared/scope.ts'
import { decideGroups, groupedTasks, type DecidedGroup } from './groups.ts'
import type { NewJob, Tasks } from './newJob.ts'
import { firstStart } from './occurrences.ts'
import { lookInterval } from './openSearch.ts'
import { vendorOfDevice } from './taskStore.ts'

const own = (caller: Caller): SQL => ownDevices(caller) ?? sql`true`

/** Returns the tasks of these devices. Tasks of devices that do not exist for the caller are skipped. */
export const tasksOfIds = (caller: Caller, ids: readonly string[]): Tasks => ({
  target: { ids: ids.length },
  rows: sql`
    select distinct given.bssid, case when ${devices.bssid} is null then 'skipped' else 'queued' end as state,
      case when ${devices.bssid} is null then ${notFoundReason} end as reason, null::jsonb as input
    from unnest(${sql.param(ids)}::text[]) as given (bssid)
    left join ${devices} on ${devices.bssid} = given.bssid and ${own(caller)}`,
})

/** Returns the tasks of the devices that match a condition now. */
export const tasksOfSearch = (
  caller: Caller,
  search: Extract<JobTarget, { search: unknown }>['search'],
  { tables, test }: Matches,
): Tasks => ({
  target: { search },
  rows: sql`select ${devices.bssid} as bssid, 'queued' as state, null as reason, null::jsonb as input
    from ${tables} where ${and(own(caller), test)}`,
})

/** Returns tasks for the devices that did not do another job: all, or those with one reason. */
export const tasksToRetry = ({ id }: JobRow, reason: string | null): Tasks => ({
  target: { job: id },
  rows: sql`select bssid, 'queued' as state, null as reason, input from job_tasks
    where job_id = ${id} and state = any(${sql.param(undoneStates)}::text[])
      and ${reason === null ? sql`true` : sql`reason = ${reason}`}`,
})

/**
 * Returns tasks that restore what another job has replaced, except where an undo or a retry of one has already done so:
 * restoring again could undo a later change. Devices whose values cannot be restored get none; a preview names them.
 */
export const tasksToUndo = ({ id }: JobRow, isPreview: boolean): Tasks => ({
  target: { job: id },
  rows: sql`select bssid, 'queued' as state, case when before is null then ${leftReason} end as reason, before as input
    from job_tasks as task
    where job_id = ${id} and state = 'done' and (before is not null or ${isPreview}) and not exists (
      with recursive undos as (
        select id from jobs where parent_id = ${id} and kind = 'undo'
        union all select retry.id from jobs as retry join undos on retry.parent_id = undos.id where retry.kind = 'retry')
      select from undos join job_tasks as restored on restored.job_id = undos.id
      where restored.bssid = task.bssid and restored.state = 'done')`,
})

/** Why an undo leaves a device out. */
export const leftReason = 'The previous values cannot be restored'

/** Throws a 400 if the devices of these tasks must not be changed together. */
export async function rejectTogether(
  db: Database,
  caller: Caller,
  { tasks, operation }: { readonly tasks: Tasks; readonly operation: RecordOperation },
): Promise<void> {
  if (!operation.rejectTogether) return
  const { rows } = await db.execute<Record<string, unknown> & RecordOwner>(sql`
    select distinct ${accounts.id} as vendor, ${accounts.company_name} as company
    from (${tasks.rows}) as task
    join ${devices} on ${devices.bssid} = task.bssid and ${own(caller)}
    join ${accounts} on ${accounts.id} = ${devices.vendor_id} order by 2`)
  operation.rejectTogether(rows)
}

/** The policy of an update of the firmware, unless the job has its own: without `success`, a broken version would not stop it. */
const firmwarePolicy: JobPolicy = { offline: 168, stop: { failed: '5%', after: 20 }, success: { minutes: 5 } }

/** Returns the policy with the defaults of the command. */
export const withDefaults = (command: string, policy: JobPolicy): JobPolicy =>
  command === 'update_firmware' ? { ...firmwarePolicy, ...policy } : policy

/** The maximum number of an account's jobs that have not ended: servers look at all of them again and again. */
const maxActive = 200

/** The number of tasks from which a job's list is slow without statistics. */
const manyTasks = 10_000

/** The maximum number of an account's open searches: servers look for new devices of each of them once a minute. */
const maxOpen = 20

export interface CreatedJob {
  readonly id: string
  /** The number of its devices. A repeating job counts the devices that match now. */
  readonly total: number
}

/** Creates a job with all its tasks. Throws a 400 if there is no device, a 409 beside too many jobs. */
export async function createJob(db: Database, job: NewJob, now: Date): Promise<CreatedJob> {
  const { caller, command, input, tasks, parent, openUntil = null, repeat } = job
  const policy = withDefaults(command, job.policy)
  const id = newOrderedId(now)
  const start = firstStart(policy.start, now)
  return db.transaction(async tx => {
    const { rows } = await tx.execute<{ total: number; found: number }>(sql`
      select count(*)::integer as total, count(*) filter (where state = 'queued')::integer as found
      from (${tasks.rows}) as task`)
    const { total: given, found } = rows[0]!
    const total = repeat ? 0 : given
    // Otherwise made-up ids could fill the database.
    const mayBeEmpty = openUntil !== null || repeat?.ids === null
    if (found === 0 && !mayBeEmpty) throw badRequest(job.emptyText)
    await refuseTooMany(tx, job)
    const skipped = policy.waves && total > 0 ? await skippedGroups(tx, { ...job, policy }) : []
    const reached = total - skipped.reduce((sum, group) => sum + group.count, 0)
    const sizes = waveSizes(policy.waves, reached)
    await tx.insert(jobs).values({
      id,
      parent_id: parent?.id ?? null,
      kind: parent?.kind ?? null,
      account_id: caller.account,
      login: caller.login,
      vendor_id: caller.vendor,
      command,
      input,
      total,
      target: tasks.target,
      policy,
      state: repeat || start > now ? 'scheduled' : 'running',
      waves: Math.max(1, sizes.length),
      open_until: openUntil,
      next_look_at: openUntil && new Date(Math.max(start.getTime(), now.getTime() + lookInterval)),
      created_at: now,
      start_at: start,
    })
    if (repeat) {
      if (repeat.ids) await tx.insert(jobIds).values({ job_id: id, bssids: [...new Set(repeat.ids)] })
      return { id, total: given }
    }
    const { rows: inserted } = await tx.execute<{ n: number }>(sql`
      with added as (
        insert into job_tasks (job_id, bssid, device_vendor_id, wave, state, reason, input, ended_at)
        select ${id}, bssid, ${vendorOfDevice}, ${waveOf(id, sizes, skipped)}, state, reason, input,
          case when state = 'skipped' then ${now.toISOString()}::timestamptz end
        from (${sizes.length < 2 ? tasks.rows : groupedTasks(job)}) as task order by bssid returning 1)
      select count(*)::integer as n from added`)
    // Devices may have been added since they were counted.
    if (inserted[0]!.n !== total) await tx.update(jobs).set({ total: inserted[0]!.n }).where(eq(jobs.id, id))
    // PostgreSQL takes a job that it has no statistics of for a small one, and sorts all of its tasks for each page.
    if (inserted[0]!.n >= manyTasks) await tx.execute(sql`analyze ${jobTasks} (job_id, state, reason)`)
    return { id, total: inserted[0]!.n }
  })
}

/** Throws a 409 if the account has too many jobs already. */
async function refuseTooMany(tx: Database, { caller, openUntil }: NewJob): Promise<void> {
  const active = and(eq(jobs.account_id, caller.account), ne(jobs.state, 'ended'))
  if ((await tx.$count(jobs, active)) >= maxActive)
    throw conflict(`${maxActive} jobs of this account have not ended. Wait for them, or cancel some`)
  if (openUntil && (await tx.$count(jobs, and(active, isNotNull(jobs.open_until)))) >= maxOpen)
    throw conflict(`${maxOpen} continuous jobs of this account have not ended. Cancel some`)
}

/** Returns the groups of a job's devices that it would skip now. */
const skippedGroups = async (db: Database, job: NewJob): Promise<DecidedGroup[]> =>
  (await decideGroups(db, job)).filter(({ skipped }) => skipped !== undefined)

/**
 * Returns the wave of a task. Each job has its own random order of devices. The first wave has all skipped devices besides its
 * own: if they counted, a first wave of a few devices might send the command to none.
 */
function waveOf(id: string, sizes: readonly number[], skipped: readonly DecidedGroup[]): SQL {
  if (sizes.length < 2) return sql`0`
  let sum = 1
  const bounds = sizes.map(size => (sum += size) - size)
  const isSkipped = sql`group_key = any(${sql.param(skipped.map(({ key }) => key))}::text[])`
  return sql`case when ${isSkipped} then 0 else width_bucket(
    row_number() over (partition by ${isSkipped} order by hashtext(bssid || ${id})), ${sql.param(bounds)}::bigint[]) - 1 end`
}
