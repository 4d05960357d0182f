/** Repeating jobs: each occurrence creates a job for the devices that match then. */
import { eq } from 'drizzle-orm'
import type { JobRepeat } from '../../../src/api/contract/jobPolicy.ts'
import { HttpError } from '../../core/errors.ts'
import type { Database } from '../../db/database.ts'
import { jobIds, jobs, type JobRow } from '../../db/schema/jobs.ts'
import type { Caller } from '../../endpoints/handler.ts'
import { deviceList } from '../devices/columns.ts'
import { matchesOf } from '../shared/list.ts'
import { createJob, tasksOfIds, tasksOfSearch } from './create.ts'
import type { Tasks } from './newJob.ts'
import { recordEnd } from './auditEntries.ts'
import { nextOccurrence } from './occurrences.ts'

/**
 * Creates the next job of a locked repeating job, and schedules the one after it. Missed occurrences are caught up with one job.
 * `reason` says why none was created, such as that its search finds no device at the moment.
 */
export async function repeatJob(tx: Database, job: JobRow, repeat: JobRepeat, now: Date): Promise<void> {
  const reason = await createNext(tx, job, now)
  await scheduleNext(tx, job, repeat, { state: 'scheduled', reason }, now)
}

/** Resumes a paused repeating job at its next time. */
export const resumeRepeat = (tx: Database, job: JobRow, repeat: JobRepeat, now: Date): Promise<void> =>
  scheduleNext(tx, job, repeat, { state: 'scheduled', reason: null }, now)

/** Sets the next time of a repeating job, or ends it after its last one. */
async function scheduleNext(
  tx: Database,
  job: JobRow,
  repeat: JobRepeat,
  values: Pick<JobRow, 'state' | 'reason'>,
  now: Date,
): Promise<void> {
  const next = nextTime(repeat, now)
  const change = next === undefined ? ({ state: 'ended', ended_at: now } as const) : { start_at: new Date(next) }
  await tx
    .update(jobs)
    .set({ ...values, ...change })
    .where(eq(jobs.id, job.id))
  if (next === undefined) await recordEnd(tx, job, now)
}

/** Returns the next time of a rule; undefined if it has no future occurrence, or not for years. */
function nextTime(repeat: JobRepeat, now: Date): number | undefined {
  try {
    return nextOccurrence(repeat, now.getTime())
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
}

/** Creates a job; returns why it cannot be created now, or null. */
async function createNext(tx: Database, job: JobRow, now: Date): Promise<string | null> {
  const { id, command, input } = job
  const { start: _start, ...policy } = job.policy
  const caller = callerOf(job)
  const emptyText = 'search' in job.target ? 'No device matches the search' : 'None of the devices exists'
  try {
    const tasks = await tasksOf(tx, job, caller)
    await createJob(tx, { caller, command, input, policy, tasks, emptyText, parent: { id, kind: 'repeat' } }, now)
    return null
  } catch (error) {
    // The transaction of the job that was not created is rolled back, this one is not.
    if (error instanceof HttpError) return [error.messages].flat().join(', ')
    throw error
  }
}

async function tasksOf(tx: Database, { id, target }: JobRow, caller: Caller): Promise<Tasks> {
  if ('search' in target) return tasksOfSearch(caller, target.search, matchesOf(deviceList, target.search))
  const [listed] = await tx.select().from(jobIds).where(eq(jobIds.job_id, id))
  return tasksOfIds(caller, listed?.bssids ?? [])
}

/** Returns the account of a job as a caller, so that the jobs it creates have the same scope. */
const callerOf = ({ account_id, login, vendor_id }: JobRow): Caller => ({
  account: account_id,
  login,
  role: vendor_id === null ? 'admin' : 'vendor',
  vendor: vendor_id,
  session: '',
})
