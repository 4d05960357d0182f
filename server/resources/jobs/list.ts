/** Lists of jobs and of their tasks. */
import { and, asc, count, desc, eq, getTableColumns, inArray, isNotNull, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { ListQuery } from '../../../src/api/contract/endpoint.ts'
import { jobs as contract, type Job, type JobReason, type Task } from '../../../src/api/contract/jobs.ts'
import { jobColumns, taskColumns, taskStates, undoneStates } from '../../../src/domain/columns/jobs.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { jobs, jobTasks, type JobRow } from '../../db/schema/jobs.ts'
import type { Caller } from '../../endpoints/handler.ts'
import type { ListDefinition } from '../shared/listDefinition.ts'
import { bssidColumn, folded, plain, storedColumns } from '../shared/listColumns.ts'
import { ownTasks } from '../shared/scope.ts'

export const jobList: ListDefinition = {
  table: jobs,
  key: jobs.id,
  definition: contract.list.columns!,
  columns: storedColumns(jobs, jobColumns, {}),
}

export const taskList: ListDefinition = {
  table: jobTasks,
  key: jobTasks.bssid,
  definition: contract.tasks.columns!,
  columns: storedColumns(jobTasks, taskColumns, {
    bssid: bssidColumn(jobTasks.bssid),
    // Stored from 0, and shown from 1.
    wave: { ...plain(jobTasks.wave), value: sql`(${jobTasks.wave} + 1)` },
    state: { ...plain(jobTasks.state), isIndexedWithKey: true },
    // PostgreSQL knows how many are null, which it does not of an expression.
    reason: { ...folded(jobTasks.reason), order: plain(jobTasks.reason).order },
  }),
}

/** Returns the number of tasks that a query finds, if the counts of their job have it; otherwise they have to be counted. */
export function countedTasks(job: JobRow, { search = '', column, operator }: z.output<typeof ListQuery>) {
  const text = search.trim().toLowerCase()
  if (text === '') return job.total
  const state = taskStates.find(each => text === each)
  if (column !== 'state' || state === undefined) return undefined
  if (operator === 'eq') return job[state]
  return operator === 'ne' ? job.total - job[state] : undefined
}

const isoOrNull = (at: Date | null) => at?.toISOString() ?? null

export const toJob = (row: JobRow): Job => ({
  _id: row.id,
  parent: row.parent_id,
  kind: row.kind,
  login: row.login,
  command: row.command,
  input: { ...row.input },
  policy: row.policy,
  state: row.state,
  reason: row.reason,
  until: isoOrNull(row.open_until),
  total: row.total,
  counts: Object.fromEntries(taskStates.map(state => [state, row[state]])) as Job['counts'],
  waves: row.waves,
  begun: row.wave + 1,
  next_wave_at: isoOrNull(row.next_wave_at),
  done: row.done,
  created_at: row.created_at.toISOString(),
  start_at: row.start_at.toISOString(),
  ended_at: isoOrNull(row.ended_at),
})

/** Whether a queued task waits for what another job has sent its device, such as an update that is being watched. */
const isBlocked = sql<boolean>`job_tasks.state = 'queued' and exists (select from job_tasks as other
  where other.bssid = job_tasks.bssid and other.state = 'sent' and other.job_id <> job_tasks.job_id)`

const blockedReason = 'Waits until another job of the device has ended'

type TaskRow = typeof jobTasks.$inferSelect & { readonly isBlocked: boolean }

export const toTask = (row: TaskRow): Task => ({
  _id: row.job_id,
  bssid: row.bssid,
  wave: row.wave + 1,
  state: row.state,
  reason: row.isBlocked ? blockedReason : row.reason,
  attempts: row.attempts,
  due_at: isoOrNull(row.due_at),
  sent_at: isoOrNull(row.sent_at),
  acknowledged_at: isoOrNull(row.acknowledged_at),
  ended_at: isoOrNull(row.ended_at),
})

/** Returns jobs by their ids, in this order. */
export async function jobsByIds(db: Database, ids: readonly string[]): Promise<Job[]> {
  const rows = await db
    .select()
    .from(jobs)
    .where(inArray(jobs.id, [...ids]))
  const byKey = new Map(rows.map(row => [row.id, toJob(row)]))
  return ids.flatMap(id => byKey.get(id) ?? [])
}

/** Returns tasks of a job by their devices, in this order. */
export async function tasksByBssids(db: Database, job: string, bssids: readonly string[]): Promise<Task[]> {
  const rows = await db
    .select({ ...getTableColumns(jobTasks), isBlocked })
    .from(jobTasks)
    .where(and(eq(jobTasks.job_id, job), anyOf(jobTasks.bssid, bssids)))
  const byKey = new Map(rows.map(row => [row.bssid, toTask(row)]))
  return bssids.flatMap(bssid => byKey.get(bssid) ?? [])
}

/** Maximum reasons that are listed. */
const maxReasons = 100

/** Returns the reasons of the devices that did not do a job, most frequent first. */
export async function reasonsOf(db: Database, job: string): Promise<JobReason[]> {
  const n = count()
  const rows = await db
    .select({ reason: jobTasks.reason, count: n })
    .from(jobTasks)
    .where(and(eq(jobTasks.job_id, job), inArray(jobTasks.state, [...undoneStates]), isNotNull(jobTasks.reason)))
    .groupBy(jobTasks.reason)
    .orderBy(desc(n), asc(jobTasks.reason))
    .limit(maxReasons)
  return rows.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }]))
}

/** Returns the newest tasks of a device that the caller may see, with their jobs. */
export function tasksOfDevice(db: Database, caller: Caller, bssid: string, limit: number) {
  return db
    .select({ task: { ...getTableColumns(jobTasks), isBlocked }, job: jobs })
    .from(jobTasks)
    .innerJoin(jobs, eq(jobs.id, jobTasks.job_id))
    .where(and(eq(jobTasks.bssid, bssid), ownTasks(caller)))
    .orderBy(desc(jobTasks.job_id))
    .limit(limit)
}
