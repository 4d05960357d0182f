/** Previews, creates and follows jobs of the server. */
import { newReadState, readAll, type Source } from '../../domain/lib/readAll.ts'
import { backoffDelay, retry, sleep } from '../../domain/lib/retry.ts'
import { call } from '../client.ts'
import { maxPerCall } from '../contract/endpoint.ts'
import type { JobPolicy } from '../contract/jobPolicy.ts'
import { jobs, type Job, type JobPreview, type JobSearch, type Task } from '../contract/jobs.ts'
import { ApiError, isTransient } from '../errors.ts'
import type { Progress } from '../readMatches.ts'

/** What a person chooses of a job: its policy, and until when devices that come to match its search get a task. */
export interface ChosenPolicy extends JobPolicy {
  /** ISO 8601. */
  readonly until?: string
}

/** The devices of a job: these, or those that match a search when it is created. */
export type JobDevices = { readonly ids: readonly string[] } | { readonly search: JobSearch }

/** A job to create: one command on these devices. */
export interface JobRequest {
  /** The command's name in the device protocol. */
  readonly command: string
  readonly input: Readonly<Record<string, unknown>>
  readonly devices: JobDevices
  readonly policy: ChosenPolicy
}

type CreateResponse = { readonly _id: string } | JobPreview
const previewOf = (response: CreateResponse): JobPreview => {
  if ('_id' in response) throw new Error('A preview has created a job')
  return response
}
const createdId = (response: CreateResponse): string => {
  if (!('_id' in response)) throw new Error('No job was created')
  return response._id
}

const bodyOf = ({ command, input, devices, policy: { until, ...policy } }: JobRequest) => ({
  command,
  input,
  ...('ids' in devices ? { ids: [...devices.ids] } : devices),
  policy,
  ...(until !== undefined && { continuous: true, until }),
})

/** Returns what a job would do. Rejects with ApiError, or with AbortError once `signal` is aborted. */
export const previewJob = async (request: JobRequest, signal: AbortSignal | undefined): Promise<JobPreview> =>
  previewOf(await call(jobs.create, { query: { preview: 'true' }, body: bodyOf(request), ...(signal && { signal }) }))

/** Creates a job and returns its id. Rejects with ApiError. */
export const createJob = async (request: JobRequest): Promise<string> =>
  createdId(await call(jobs.create, { body: bodyOf(request) }))

/** A retry of a job, on all devices that did not do it (null) or on those with one reason. */
export interface RetryRequest {
  /** The id of the job. */
  readonly id: string
  readonly reason: string | null
  /** Without it, the policy of the job holds again. */
  readonly policy: ChosenPolicy | undefined
}

/** A retry has the devices of its job, so later ones never match. */
function retryBody({ reason, policy: chosen }: RetryRequest) {
  if (!chosen) return { reason }
  const { until: _until, ...policy } = chosen
  return { reason, policy }
}

/** Returns what a retry would do. Rejects with ApiError, or with AbortError once `signal` is aborted. */
export const previewRetry = async (request: RetryRequest, signal: AbortSignal | undefined): Promise<JobPreview> =>
  previewOf(
    await call(jobs.retry, {
      params: { id: request.id },
      query: { preview: 'true' },
      body: retryBody(request),
      ...(signal && { signal }),
    }),
  )

/** Creates a job that retries another one, and returns its id. Rejects with ApiError. */
export const createRetry = async (request: RetryRequest): Promise<string> =>
  createdId(await call(jobs.retry, { params: { id: request.id }, body: retryBody(request) }))

/** Returns the policy of a job for a retry, which begins now. Rejects with ApiError. */
export async function policyToRetry(id: string): Promise<ChosenPolicy> {
  const { policy } = await call(jobs.detail, { params: { id } })
  const { start: _start, ...others } = policy
  return others
}

/** Returns what the undo of a job would do. Rejects with ApiError, or with AbortError once `signal` is aborted. */
export const previewUndo = async (id: string, signal: AbortSignal | undefined): Promise<JobPreview> =>
  previewOf(await call(jobs.undo, { params: { id }, query: { preview: 'true' }, ...(signal && { signal }) }))

/** Creates a job that undoes another one, and returns its id. Cancels what that has not done yet. Rejects with ApiError. */
export async function createUndo(id: string): Promise<string> {
  const { state } = await call(jobs.detail, { params: { id } })
  if (state !== 'ended') await followJob(id, { signal: AbortSignal.abort(), report: () => undefined })
  return createdId(await call(jobs.undo, { params: { id } }))
}

/** Milliseconds between two reads of a followed job, at first and at most. */
const firstPause = 100
const maxPause = 1_000
/** Milliseconds before the first further attempt to read a job of a server that cannot be reached. */
const retryPause = 1_000
/** Milliseconds without a change after which nobody knows when a job goes on: it waits for its windows or retries. */
const quietTime = 10_000
/** Firmware is installed for minutes after all devices have acknowledged the command. */
const firmwareQuietTime = 2_000

/** Whether a job does nothing until a later time, a person or a device wakes it. */
function isAtRest({ state, counts, next_wave_at, until }: Job): boolean {
  if (state === 'ended' || state === 'scheduled' || state === 'paused') return true
  const isWaiting = counts.waiting > 0 || until !== null
  return counts.sent === 0 && (next_wave_at !== null || (counts.queued === 0 && isWaiting))
}

/** Calls again while the server cannot be reached or is busy: the job goes on meanwhile. */
const persistently = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, {
    isTransient,
    delay: attempt => backoffDelay(retryPause, attempt),
  })

/** A job that has ended meanwhile cannot be cancelled. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 409)) throw error
}

/**
 * Reads a job until it has ended or does nothing for now, and returns it. Cancels it once `signal` is aborted, and
 * continues until its sent commands are answered. Rejects with ApiError if the server refuses.
 */
export async function followJob(
  id: string,
  { signal, report }: { readonly signal: AbortSignal; readonly report: (job: Job) => void },
): Promise<Job> {
  let isCancelled = false
  let last = ''
  let changedAt = performance.now()
  for (let reads = 0; ; reads++) {
    if (signal.aborted && !isCancelled) {
      isCancelled = true
      await persistently(() => call(jobs.cancel, { params: { id } })).catch(ignoreConflict)
    }
    const job = await persistently(() => call(jobs.detail, { params: { id } }))
    report(job)
    const now = performance.now()
    const quiet = job.command === 'update_firmware' && job.counts.queued === 0 ? firmwareQuietTime : quietTime
    const sign = JSON.stringify([job.state, job.counts])
    if (sign !== last) changedAt = now
    last = sign
    if (job.state === 'ended' || (!isCancelled && (isAtRest(job) || now - changedAt > quiet))) return job
    const delay = Math.min(maxPause, backoffDelay(firstPause, reads))
    // A cancellation ends the pause at once.
    await sleep(delay, isCancelled ? undefined : signal).catch(() => undefined)
  }
}

/**
 * Yields all tasks of a job by device, or only unfinished ones. Tasks that finish or are added meanwhile hide no others. Rejects
 * with ApiError, or with AbortError once the signal is aborted.
 */
export async function* allTasks(
  id: string,
  { signal, report }: Progress,
  only?: 'undone',
): AsyncGenerator<readonly Task[]> {
  const filter = only && ({ column: 'state', operator: 'ne', search: 'done' } as const)
  const source: Source<Task> = {
    limit: maxPerCall,
    sorted: false,
    keyOf: ({ bssid }) => bssid,
    read: offset => {
      const query = { offset, limit: maxPerCall, ...filter }
      return persistently(() => call(jobs.tasks, { params: { id }, query, signal }))
    },
  }
  const readState = newReadState()
  for await (const tasks of readAll(source, readState)) {
    const { read, total = read } = readState
    report(Math.min(read, total), total)
    yield tasks
  }
}
