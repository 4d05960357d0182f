/** What became of the devices of a job of the server. */
import type { Job, Task } from '../../../api/contract/jobs.ts'
import { allTasks } from '../../../api/jobs/jobs.ts'
import type { Progress } from '../../../api/readMatches.ts'
import { openStates, taskStateNames } from '../../../domain/columns/jobs.ts'
import type { Failure } from '../../../domain/commands/failures.ts'
import { formatNumber, formatDateTime } from '../../../domain/format.ts'
import { notSent, type Outcome } from './outcome.ts'

const unseen: Progress = { signal: new AbortController().signal, report: () => undefined }

/**
 * Returns what became of each device of a job. `ids` are its devices, if they are known: then only those that did not
 * do it are read. Rejects with ApiError.
 */
export async function readOutcome(job: Job, ids?: readonly string[], progress = unseen): Promise<Outcome> {
  const tasks: Task[] = []
  if (ids === undefined || job.counts.done < job.total)
    for await (const page of allTasks(job._id, progress, ids && 'undone')) tasks.push(...page)
  // A device that installs its firmware has acknowledged the command: for this run it is done.
  const isDone = ({ state, acknowledged_at }: Task) =>
    state === 'done' || (state === 'sent' && acknowledged_at !== null)
  const undone = tasks.filter(task => !isDone(task))
  const undoneIds = new Set(undone.map(({ bssid }) => bssid))
  const isOpen = ({ state }: Task) => openStates.includes(state)
  const done = (ids ?? tasks.map(({ bssid }) => bssid)).filter(id => !undoneIds.has(id))
  return {
    done,
    failed: undone.filter(task => !isOpen(task)).map(failureOf),
    ...((job.state === 'scheduled' || undone.some(isOpen)) && { continues: continuesText(job, done.length) }),
  }
}

const failureOf = ({ bssid, state, reason }: Task): Failure => ({
  id: bssid,
  message: state === 'cancelled' ? notSent : (reason ?? taskStateNames[state]),
})

/** Returns what a job that has not ended waits for: `3 of 40 done, 2 wait for their devices`. */
function continuesText({ state, reason, counts, total, start_at, next_wave_at }: Job, doneCount: number): string {
  if (state === 'scheduled') return `starts ${formatDateTime(start_at)}`
  const done = `${formatNumber(doneCount)} of ${formatNumber(total)} done`
  if (state === 'paused') return `${done}, paused${reason === null ? '' : `: ${reason}`}`
  if (next_wave_at !== null) return `${done}, the next wave starts ${formatDateTime(next_wave_at)}`
  if (counts.waiting > 0)
    return `${done}, ${formatNumber(counts.waiting)} ${counts.waiting === 1 ? 'waits for its device' : 'wait for their devices'}`
  return `${done}, continues on the server`
}
