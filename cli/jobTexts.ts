/** Jobs and previews in words. */
import type { Job, JobPreview } from '../src/api/contract/jobs.ts'
import { openStates, taskStateNames, taskStates, type TaskState } from '../src/domain/columns/jobs.ts'
import { formatDateTime, formatNumber } from '../src/domain/format.ts'
import { plural } from '../src/domain/plural.ts'
import { printable } from './printable.ts'
import { typedName } from './words.ts'

/** Returns what a job would do, a line each. */
export function previewLines({ total, count, waiting, reasons, waves }: JobPreview): string[] {
  return [
    `${plural(count, 'device')} of ${formatNumber(total, 0)} would get the command`,
    ...(waiting > 0 ? [`${plural(waiting, 'device')} would get it once back online`] : []),
    ...reasons.map(one => `${formatNumber(one.count, 0)} skipped: ${printable(one.reason)}`),
    ...(waves.length > 1
      ? waves.map(({ size, at }, index) => `Wave ${index + 1}: ${plural(size, 'device')}, from ${formatDateTime(at)}`)
      : []),
  ]
}

/** `9 done, 2 refused`: the states of the tasks, without those that none has. */
const countsText = ({ counts }: Job, states: readonly TaskState[]) =>
  states
    .filter(state => counts[state] > 0)
    .map(state => `${formatNumber(counts[state], 0)} ${taskStateNames[state].toLowerCase()}`)
    .join(', ')

/** Returns the number of tasks that have ended. */
const endedOf = ({ total, counts }: Job) => openStates.reduce((left, state) => left - counts[state], total)

const barWidth = 20

/** Returns the state of a job without devices, and until when it has none. */
function waitText({ state, start_at, until }: Job): string {
  if (state === 'scheduled') return `scheduled, begins ${formatDateTime(start_at)}`
  return state === 'running' && until !== null ? 'running, waits for devices that match' : state
}

/** Returns a line with the progress of a job. */
export function progressLine(job: Job): string {
  const name = typedName(job.command)
  if (job.total === 0) return `${name}  ${waitText(job)}`
  const share = endedOf(job) / job.total
  const filled = Math.floor(share * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  return `${name} ${bar} ${Math.floor(share * 100)} %  ${job.state}, ${countsText(job, taskStates)}`
}

/** Returns a line with what came of a job, or why it does not go on. */
export function endLine(job: Job): string {
  const reason = job.reason === null ? '' : `: ${printable(job.reason)}`
  const state = job.state === 'ended' ? '' : ` (${job.state}${reason})`
  return `${typedName(job.command)}: ${countsText(job, taskStates) || 'no device'}, of ${formatNumber(job.total, 0)}${state}`
}
