/** The life of a job: it starts, begins its waves, stops by its rule, and ends. */
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { JobStart } from '../../../src/api/contract/jobPolicy.ts'
import type { JobState } from '../../../src/domain/columns/jobs.ts'
import { exceeds, type StopRule } from '../../../src/domain/jobs/waves.ts'
import { msPerMinute } from '../../../src/domain/time.ts'
import { badRequest, conflict, notFound } from '../../core/errors.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { jobs, jobTasks, type JobRow } from '../../db/schema/jobs.ts'
import { cancelledReason } from './rules.ts'
import { recordEnd } from './auditEntries.ts'
import { firstStart, isRepeat } from './occurrences.ts'
import { lookInterval, takeNewDevices } from './openSearch.ts'
import { repeatJob, resumeRepeat } from './repeats.ts'
import { abandonTasks, cancelOneTask, cancelTasks, holdTasks, releaseWave } from './taskStore.ts'
import { successTime } from './updateRules.ts'

/** What a job needs next: one step at a time. */
type Step = 'start' | 'stop' | 'plan' | 'begin' | 'cancel' | 'abandon' | 'look' | 'end'

const openTasks = ({ queued, sent, waiting }: JobRow) => queued + sent + waiting

/** Whether a job records a call, which sends its commands itself. */
const isCall = ({ kind }: Pick<JobRow, 'kind'>): boolean => kind === 'call'

/** Whether devices may still come to match a job's search. */
const isOpen = ({ open_until }: JobRow, now: Date): boolean => open_until !== null && open_until > now

/** Returns the stop rule for the wave that runs: before another one, also of a wave with fewer tasks than the rule asks for. */
function stopRule({ policy: { stop }, wave, waves, wave_open, wave_ended }: JobRow): StopRule | undefined {
  const isOver = wave_open === 0 && wave + 1 < waves
  return stop && (isOver ? { ...stop, after: Math.min(stop.after, wave_ended) } : stop)
}

/** Returns the next step of a job, or undefined if it has to wait for its tasks or for a later time. */
export function nextStep(job: JobRow, now: Date): Step | undefined {
  const { state, policy, wave, waves, wave_open, next_wave_at } = job
  // Its server sends the commands and ends it.
  if (isCall(job)) return state !== 'ended' && job.lease_until! <= now ? 'abandon' : undefined
  if (state === 'scheduled') return job.start_at <= now ? 'start' : undefined
  if (isRepeat(policy.start) && state === 'paused') return undefined
  if (openTasks(job) === 0 && (state === 'cancelling' || !isOpen(job, now)))
    return state === 'ended' ? undefined : 'end'
  // Some tasks were being claimed while the job was cancelled.
  if (state === 'cancelling') return job.queued + job.waiting > 0 ? 'cancel' : undefined
  if (state !== 'running') return undefined
  if (job.next_look_at !== null && job.next_look_at <= now) return 'look'
  if (exceeds(stopRule(job), { ended: job.wave_ended, failed: job.wave_failed })) return 'stop'
  if (wave_open > 0 || wave + 1 >= waves) return undefined
  if (next_wave_at === null) return 'plan'
  return next_wave_at <= now ? 'begin' : undefined
}

/** Returns when a job may need a step although none of its tasks changes. */
export function nextStepAt(job: JobRow, now: Date): Date | undefined {
  const { state, start_at, next_wave_at, next_look_at, open_until, lease_until } = job
  const times: Readonly<Partial<Record<JobState, readonly (Date | null)[]>>> = {
    scheduled: [start_at],
    running: [next_wave_at, next_look_at, open_until, lease_until],
    paused: [open_until],
  }
  const later = (times[state] ?? []).flatMap(at => (at !== null && at > now ? [at.getTime()] : []))
  return later.length === 0 ? undefined : new Date(Math.min(...later))
}

/** Takes a step of a job that the transaction has locked. */
async function take(tx: Database, job: JobRow, step: Step, now: Date): Promise<void> {
  const set = (values: Partial<JobRow>) => tx.update(jobs).set(values).where(eq(jobs.id, job.id))
  switch (step) {
    case 'start':
      if (isRepeat(job.policy.start)) await repeatJob(tx, job, job.policy.start, now)
      else await set({ state: 'running' })
      return
    case 'stop':
      await pauseLocked(tx, job, `More than ${job.policy.stop!.failed} of the devices of wave ${job.wave + 1} failed`)
      return
    case 'plan': {
      const wait = job.policy.waves?.[job.wave]?.wait ?? 0
      await set({ next_wave_at: new Date(now.getTime() + wait * msPerMinute) })
      return
    }
    case 'begin':
      await beginWave(tx, job, now)
      return
    case 'cancel':
      await cancelTasks(tx, job.id, cancelledReason, now)
      return
    case 'look':
      await takeNewDevices(tx, job, now)
      return
    case 'abandon':
      await abandonTasks(tx, job.id, now)
      await set({ state: 'ended', ended_at: now, lease_until: null })
      return
    case 'end':
      await set({ state: 'ended', ended_at: now, next_wave_at: null })
      await recordEnd(tx, job, now)
  }
}

async function beginWave(tx: Database, { id, wave, policy }: JobRow, now: Date): Promise<void> {
  const next = wave + 1
  await releaseWave(tx, { id, rate: policy.rate, waves: sql`wave = ${next}` }, now)
  await tx
    .update(jobs)
    .set({
      wave: next,
      wave_at: now,
      next_wave_at: null,
      wave_open: sql`(select count(*) from job_tasks
        where job_id = ${id} and wave = ${next} and state in ('queued', 'sent'))`,
      wave_ended: 0,
      wave_failed: 0,
    })
    .where(eq(jobs.id, id))
}

async function pauseLocked(tx: Database, { id }: JobRow, reason: string | null): Promise<void> {
  await holdTasks(tx, id)
  await tx.update(jobs).set({ state: 'paused', reason }).where(eq(jobs.id, id))
}

async function cancelLocked(tx: Database, { id }: JobRow, reason: string | null, now: Date): Promise<void> {
  await tx.update(jobs).set({ state: 'cancelling', reason, next_wave_at: null }).where(eq(jobs.id, id))
  await cancelTasks(tx, id, reason ?? cancelledReason, now)
}

interface Advanced {
  /** The jobs that took a step, as they were before. */
  readonly changed: readonly JobRow[]
  /** Whether the audit log has the end of any of them. */
  readonly hasEnded: boolean
  /** Whether tasks wait for their devices. */
  readonly isWaiting: boolean
  /** Whether updates of firmware were acknowledged, and their success may be awaited. */
  readonly isFollowing: boolean
  /** When a job needs its next step, if none of its tasks changes. */
  readonly next: Date | undefined
}

/** Takes the steps of all jobs that need one; of several servers, one at a time takes those of a job. */
export async function advanceJobs(db: Database, now: Date): Promise<Advanced> {
  const active = await db
    .select({ job: jobs, account: accounts.id })
    .from(jobs)
    .leftJoin(accounts, and(eq(accounts.id, jobs.account_id), eq(accounts.blocked, false)))
    .where(ne(jobs.state, 'ended'))
    .orderBy(asc(jobs.id))
  const changed: JobRow[] = []
  let hasEnded = false
  for (const { job, account } of active) {
    const isLost = account === null && job.state !== 'cancelling' && !isCall(job)
    if (isLost) await cancelLost(db, job, now)
    const last = isLost || nextStep(job, now) !== undefined ? await advance(db, job.id, now) : undefined
    if (isLost || last !== undefined) changed.push(job)
    hasEnded ||= last === 'end'
  }
  const times = active.flatMap(({ job }) => nextStepAt(job, now) ?? [])
  return {
    changed,
    hasEnded,
    isWaiting: active.some(({ job }) => job.waiting > 0),
    isFollowing: active.some(({ job }) => job.sent > 0 && successTime(job.policy) !== undefined),
    next: times.length === 0 ? undefined : new Date(Math.min(...times.map(Number))),
  }
}

/** Cancels a job whose account was blocked or deleted. */
const cancelLost = (db: Database, { id }: JobRow, now: Date): Promise<void> =>
  changeLocked(db, id, async (tx, job) => {
    if (job.state !== 'ended') await cancelLocked(tx, job, 'The account was blocked or deleted', now)
  })

/** Takes all steps that a job needs now. Returns the last, or undefined if there is none, or another server is at it. */
async function advance(db: Database, id: string, now: Date): Promise<Step | undefined> {
  return db.transaction(async tx => {
    for (let last: Step | undefined; ;) {
      const [job] = await tx.select().from(jobs).where(eq(jobs.id, id)).for('update', { skipLocked: true })
      const step = job && nextStep(job, now)
      if (job === undefined || step === undefined) return last
      await take(tx, job, step, now)
      last = step
      // Its remaining tasks are being claimed.
      if (step === 'cancel') return last
    }
  })
}

/** Changes a job while nobody else does. */
function changeLocked<Result>(
  db: Database,
  id: string,
  change: (tx: Database, job: JobRow) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async tx => {
    const [job] = await tx.select().from(jobs).where(eq(jobs.id, id)).for('update')
    return change(tx, job!)
  })
}

const refuse = (job: JobRow, action: string) =>
  conflict(`The job ${isCall(job) ? 'records a call' : `is ${job.state}`} and cannot be ${action}`)

export const pauseJob = (db: Database, id: string): Promise<void> =>
  changeLocked(db, id, async (tx, job) => {
    if (isCall(job) || (job.state !== 'running' && job.state !== 'scheduled')) throw refuse(job, 'paused')
    await pauseLocked(tx, job, null)
  })

/** Goes on with a paused job. Its stop rule counts anew. */
export const resumeJob = (db: Database, id: string, now: Date): Promise<void> =>
  changeLocked(db, id, async (tx, job) => {
    if (job.state !== 'paused') throw refuse(job, 'resumed')
    if (isRepeat(job.policy.start)) return resumeRepeat(tx, job, job.policy.start, now)
    await releaseWave(tx, { id, rate: job.policy.rate, waves: sql`wave <= ${job.wave}` }, now)
    const state = job.start_at > now ? 'scheduled' : 'running'
    await tx.update(jobs).set({ state, reason: null, wave_ended: 0, wave_failed: 0 }).where(eq(jobs.id, id))
  })

export const cancelJob = (db: Database, id: string, now: Date): Promise<void> =>
  changeLocked(db, id, async (tx, job) => {
    if (isCall(job) || job.state === 'ended' || job.state === 'cancelling') throw refuse(job, 'cancelled')
    await cancelLocked(tx, job, null, now)
  })

/** Cancels a task that is not sent. Throws a 404 without it, and a 409 if it is sent or has ended. */
export async function cancelTask(db: Database, { id, ...job }: JobRow, bssid: string, now: Date): Promise<void> {
  // The tasks of a call may be sent while they are queued.
  const mayCancel = !isCall(job)
  if (mayCancel && (await cancelOneTask(db, { job: id, bssid, reason: 'The task was cancelled' }, now))) return
  const [task] = await db
    .select({ state: jobTasks.state })
    .from(jobTasks)
    .where(and(eq(jobTasks.job_id, id), eq(jobTasks.bssid, bssid)))
  if (task === undefined) throw notFound('Task')
  throw conflict(`The task is ${mayCancel ? task.state : 'part of a call'} and cannot be cancelled`)
}

/** Lets a scheduled job begin at another time, or be repeated by another rule. */
export const rescheduleJob = (db: Database, id: string, start: JobStart, now: Date): Promise<void> =>
  changeLocked(db, id, async (tx, job) => {
    if (job.state !== 'scheduled') throw refuse(job, 'rescheduled')
    if (isRepeat(start) !== isRepeat(job.policy.start))
      throw badRequest('A repeating job needs a rule; any other job needs a time')
    const start_at = firstStart(start, now)
    if (job.open_until !== null && start_at >= job.open_until)
      throw badRequest('Start must be before the job takes no more devices')
    const next_look_at = job.open_until && new Date(Math.max(start_at.getTime(), now.getTime() + lookInterval))
    const policy = { ...job.policy, start }
    await tx.update(jobs).set({ policy, start_at, next_look_at }).where(eq(jobs.id, id))
  })
