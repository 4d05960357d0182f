/** Counts of the tasks of a job. */
import { openStates, undoneStates, type JobState, type TaskState } from '../columns/jobs.ts'

interface Counted {
  readonly counts: Readonly<Record<TaskState, number>>
}

const sumOf = ({ counts }: Counted, states: readonly TaskState[]): number =>
  states.reduce((sum, state) => sum + counts[state], 0)

/** Returns the number of tasks that have not ended. */
export const openCount = (job: Counted): number => sumOf(job, openStates)
/** Returns the number of tasks that have ended. */
export const endedCount = (job: Counted & { readonly total: number }): number => job.total - openCount(job)
/** Returns the number of devices that a retry takes. */
export const retryCount = (job: Counted): number => sumOf(job, undoneStates)

/** Whether the tasks of a job are on their way: its counts change by themselves. */
export const isRunning = ({ state }: { readonly state: JobState }): boolean =>
  state === 'running' || state === 'cancelling'

type Version = Counted & { readonly total: number; readonly ended_at: string | null }

/** Returns the newer one of two versions of a job, as far as their counts show; otherwise the first. */
export function newerOf<Job extends Version>(one: Job | undefined, other: Job | undefined): Job | undefined {
  if (!one || !other) return one ?? other
  const isNewer = (one.ended_at === null && other.ended_at !== null) || endedCount(other) > endedCount(one)
  return isNewer ? other : one
}
