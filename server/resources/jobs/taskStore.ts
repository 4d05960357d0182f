/** The tasks of jobs in the database: claimed by one server at a time, and moved from state to state. */
import { and, eq, gt, inArray, lt, lte, min, sql, type SQL } from 'drizzle-orm'
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import { openStates, type JobState, type TaskState } from '../../../src/domain/columns/jobs.ts'
import { msPerDay, msPerSecond } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { sqlState, uniqueViolation } from '../../db/retry.ts'
import { jobs, jobTasks } from '../../db/schema/jobs.ts'
import { unreachableStatuses } from '../devices/bulk.ts'

/**
 * Milliseconds after which another server may send a claimed task again: longer than a device may take to acknowledge and the
 * result to be stored.
 */
export const leaseTime = 20 * msPerSecond

/** A task that this server has claimed, with what it needs of its job. */
export interface ClaimedTask {
  readonly job_id: string
  readonly bssid: string
  readonly command_id: string
  /** How many times its command was sent before. */
  readonly attempts: number
  /** Whether a server has sent it and not ended it. */
  readonly isTakeover: boolean
  readonly command: string
  readonly input: Readonly<Record<string, unknown>>
  readonly policy: JobPolicy
  readonly state: JobState
  readonly vendor_id: string | null
  /** Until when it waits for its device, milliseconds UTC; null if it has not waited yet. */
  readonly waitsUntil: number | null
}

/** The vendor of the device of `task`, in a query of new tasks. */
export const vendorOfDevice = sql`(select vendor_id from devices where devices.bssid = task.bssid)`

/**
 * Claims tasks that are due, and sent ones whose server has not ended them within its lease: at most one of each device, in
 * the order of their jobs. A task keeps the id of its command, so that a device that has executed it does not do so twice.
 */
export async function claimTasks(db: Database, now: Date, limit: number): Promise<ClaimedTask[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const lease = new Date(now.getTime() + leaseTime).toISOString()
  // The states are in a `case` so that PostgreSQL uses the index of `due_at`. It has no statistics of a new job, and would
  // otherwise sort all of its tasks for each claim.
  try {
    const { rows } = await db.execute<Record<string, unknown> & ClaimedTask>(sql`
      with due as materialized (
        select task.job_id, task.bssid, task.due_at, task.state = 'sent' and task.attempts > 0 as is_takeover
        from job_tasks as task
        where task.due_at <= ${at} and case task.state
          when 'sent' then task.acknowledged_at is null
          when 'queued' then not exists (
            select from job_tasks as other where other.bssid = task.bssid and other.job_id <> task.job_id and (
              other.state = 'sent' or
              (other.state = 'queued' and other.due_at <= ${at} and other.job_id < task.job_id)))
          else false end
        order by task.due_at limit ${limit} for update of task skip locked)
      update job_tasks as task set state = 'sent', due_at = ${lease}::timestamptz,
        command_id = coalesce(task.command_id, gen_random_uuid()::text)
      from due join jobs as job on job.id = due.job_id
      where task.job_id = due.job_id and task.bssid = due.bssid
      returning task.job_id, task.bssid, task.command_id, task.attempts, due.is_takeover as "isTakeover",
        job.command, coalesce(task.input, job.input) as input, job.policy, job.state, job.vendor_id,
        (extract(epoch from task.waits_until) * 1000)::float8 as "waitsUntil"`)
    return rows
  } catch (error) {
    // The index `job_tasks_sent`: another server has just claimed a task of the same device.
    if (sqlState(error) === uniqueViolation) return []
    throw error
  }
}

/** What becomes of a claimed task. */
export interface Move {
  readonly job_id: string
  readonly bssid: string
  readonly command_id: string
  readonly state: TaskState
  readonly reason: string | null
  /** ISO 8601; null for a task that has ended or is paused. */
  readonly due_at: string | null
  /** 1 if its command is sent now. */
  readonly attempt: 0 | 1
  /** Whether the device has acknowledged the command, and its success is awaited. */
  readonly isAcknowledged?: boolean
  readonly before: Readonly<Record<string, unknown>> | null
}

/** Returns the part of a move of a task that is not sent. */
export const unsent = ({ job_id, bssid, command_id }: ClaimedTask) =>
  ({ job_id, bssid, command_id, attempt: 0, before: null }) as const

/** Moves claimed tasks; one that was ended since, or claimed by another server and ended there, stays as it is. */
export async function moveTasks(db: Database, moves: readonly Move[], now: Date): Promise<void> {
  if (moves.length === 0) return
  const at = sql`${now.toISOString()}::timestamptz`
  await db.execute(sql`
    update job_tasks as task set state = input.state, reason = input.reason, due_at = input.due_at,
      waits_until = case when input.state = 'waiting' then coalesce(task.waits_until, input.due_at) else task.waits_until end,
      attempts = task.attempts + input.attempt, before = coalesce(task.before, input.before),
      acknowledged_at = case when input."isAcknowledged" then ${at} else task.acknowledged_at end,
      sent_at = case when input.attempt = 1 then coalesce(task.sent_at, ${at}) else task.sent_at end,
      ended_at = case when input.state <> all (${sql.param(openStates)}::text[]) then ${at} end
    from json_to_recordset(${JSON.stringify(moves)}::json) as input (job_id text, bssid text, command_id text, state text,
      reason text, due_at timestamptz, attempt smallint, before jsonb, "isAcknowledged" boolean)
    where task.job_id = input.job_id and task.bssid = input.bssid and task.command_id = input.command_id
      and task.state = 'sent'`)
}

/**
 * Ends the queued and waiting tasks of earlier jobs for the same devices, if these tasks set all that they would set: otherwise
 * they would later overwrite what is newer. Jobs that have not started are left: their time was chosen by a person.
 */
export async function replaceEarlier(
  db: Database,
  tasks: readonly Pick<ClaimedTask, 'job_id' | 'bssid' | 'command' | 'input'>[],
  now: Date,
): Promise<void> {
  const setting = tasks
    .filter(({ input }) => Object.keys(input).length > 0)
    .map(({ job_id, bssid, command, input }) => ({ job_id, bssid, command, names: Object.keys(input) }))
  if (setting.length === 0) return
  await db.execute(sql`
    update job_tasks as older set state = ${endedState('cancelled', sql`older.attempts`)}, reason = 'Replaced by a later job',
      due_at = null, ended_at = ${now.toISOString()}::timestamptz
    from json_to_recordset(${JSON.stringify(setting)}::json) as later (job_id text, bssid text, command text, names jsonb),
      jobs as job
    where older.bssid = later.bssid and older.job_id < later.job_id collate "C" and older.state in ('queued', 'waiting')
      and job.id = older.job_id and job.command = later.command and job.state in ('running', 'paused')
      and not exists (
        select from jsonb_object_keys(coalesce(older.input, job.input)) as field where not later.names ? field)`)
}

/** Lets other servers claim the tasks of these commands at once. */
export async function releaseTasks(db: Database, commandIds: readonly string[], now: Date): Promise<void> {
  if (commandIds.length === 0) return
  await db
    .update(jobTasks)
    .set({ due_at: now })
    .where(and(eq(jobTasks.state, 'sent'), inArray(jobTasks.command_id, [...commandIds])))
}

/** Queues the waiting tasks of devices that are back, among these devices or all. Returns whether there were any. */
export async function wakeTasks(db: Database, bssids: readonly string[] | undefined, now: Date): Promise<boolean> {
  const these = bssids === undefined ? sql`true` : sql`task.bssid = any(${sql.param(bssids)}::text[])`
  const { rows } = await db.execute(sql`
    update job_tasks as task set state = 'queued', due_at = ${now.toISOString()}::timestamptz
    from device_values as shown
    where ${these} and task.state = 'waiting'
      -- Always so, and the condition of the index of open tasks.
      and task.due_at is not null
      and shown.bssid = task.bssid and shown.status <> all (${sql.param(unreachableStatuses)}::smallint[])
    returning task.bssid`)
  return rows.length > 0
}

/** The state of a task that ends without being sent again: its device may have executed what was sent before. */
export const endedState = (state: TaskState, attempts: SQL = sql`attempts`): SQL =>
  sql`case when ${attempts} > 0 then 'unanswered' else ${state}::text end`

/** Ends the tasks whose device was not back in time. */
export async function expireTasks(db: Database, now: Date): Promise<void> {
  await db
    .update(jobTasks)
    .set({ state: endedState('expired'), reason: expiredReason, due_at: null, ended_at: now })
    .where(and(eq(jobTasks.state, 'waiting'), lte(jobTasks.due_at, now)))
}
export const expiredReason = 'The device did not come back in time'

/** Cancels the tasks of a job that are not sent. */
export async function cancelTasks(db: Database, job: string, reason: string, now: Date): Promise<void> {
  // The server that claims a task at this moment cancels it.
  await db.execute(sql`
    update job_tasks as task set state = ${endedState('cancelled')}, reason = ${reason}, due_at = null,
      ended_at = ${now.toISOString()}::timestamptz
    from ${unclaimed(job, sql`state in ('queued', 'waiting')`)} where task.ctid = unclaimed.ctid`)
}

/** Cancels one task if it is not sent; waits for a server that is claiming it. Returns whether it did. */
export async function cancelOneTask(
  db: Database,
  { job, bssid, reason }: { readonly job: string; readonly bssid: string; readonly reason: string },
  now: Date,
): Promise<boolean> {
  const cancelled = await db
    .update(jobTasks)
    .set({ state: endedState('cancelled'), reason, due_at: null, ended_at: now })
    .where(and(eq(jobTasks.job_id, job), eq(jobTasks.bssid, bssid), inArray(jobTasks.state, ['queued', 'waiting'])))
    .returning({ bssid: jobTasks.bssid })
  return cancelled.length > 0
}

/** Ends the tasks of a call whose server was killed: it may have sent any of them. */
export async function abandonTasks(db: Database, job: string, now: Date): Promise<void> {
  await db
    .update(jobTasks)
    .set({ state: 'unanswered', reason: 'The server was stopped during the call', ended_at: now })
    .where(and(eq(jobTasks.job_id, job), eq(jobTasks.state, 'queued')))
}

/** Takes the queued tasks of a job out of what is due. */
export async function holdTasks(db: Database, job: string): Promise<void> {
  await db.execute(sql`
    update job_tasks as task set due_at = null
    from ${unclaimed(job, sql`state = 'queued' and due_at is not null`)} where task.ctid = unclaimed.ctid`)
}

/**
 * Returns a table expression that locks those tasks of a job that no server is claiming. It gives their `ctid`: PostgreSQL has no
 * statistics of a new job, and an update of 100,000 of its tasks by key took twenty seconds.
 */
const unclaimed = (job: string, test: SQL) =>
  sql`(select ctid from job_tasks where job_id = ${job} and ${test} for update skip locked) as unclaimed`

/**
 * Makes the queued tasks of these waves due: all at once, or `rate` a minute from `now` on. Tasks of a wave are in no order, so
 * that the first wave is a sample of all devices.
 */
export async function releaseWave(
  db: Database,
  { id, rate, waves }: { readonly id: string; readonly rate: number | undefined; readonly waves: SQL },
  now: Date,
): Promise<void> {
  const due = sql`${now.toISOString()}::timestamptz + (n - 1) * ${rate === undefined ? 0 : 60 / rate}::float8 * interval '1 second'`
  // By `ctid`, as in `unclaimed`. A task that is changed meanwhile is skipped: it was cancelled or replaced.
  await db.execute(sql`
    update job_tasks as task set due_at = ${due}
    from (select ctid, row_number() over () as n from job_tasks
      where job_id = ${id} and ${waves} and state = 'queued' and due_at is null) as held
    where task.ctid = held.ctid`)
}

/** Returns when the next task is due, if it is later than now. */
export async function nextDueAt(db: Database, now: Date): Promise<Date | undefined> {
  const [row] = await db
    .select({ at: min(jobTasks.due_at) })
    .from(jobTasks)
    .where(gt(jobTasks.due_at, now))
  return row?.at ?? undefined
}

/** Deletes the ended jobs that are older than `jobRetention`, with their tasks. */
export async function pruneJobs(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - jobRetention)
  await db.delete(jobs).where(and(eq(jobs.state, 'ended'), lt(jobs.created_at, before)))
}
/** Milliseconds for which jobs are kept: 400 days. */
export const jobRetention = 400 * msPerDay
