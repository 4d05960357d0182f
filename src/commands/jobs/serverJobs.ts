/** What the console says about jobs of the server: their state, counts, policy and times. No side effects. */
import type { Job } from '../../api/contract/jobs.ts'
import type { JobPolicy, JobWindow } from '../../api/contract/jobPolicy.ts'
import { openStates, taskStateNames, taskStates, type TaskState } from '../../domain/columns/jobs.ts'
import type { Tone } from '../../domain/device.ts'
import { formatNumber, formatDateTime } from '../../domain/format.ts'
import { isRunning } from '../../domain/jobs/counts.ts'
import { plural } from '../../domain/plural.ts'
import { countOf } from '../core/wording.ts'
import { formatDuration } from './outcomes.ts'

type Counted = Pick<Job, 'counts'>

/** The tone of each state of a task. */
export const taskTones: Readonly<Record<TaskState, Tone>> = {
  queued: 'mute',
  sent: 'busy',
  waiting: 'warn',
  done: 'ok',
  refused: 'bad',
  unanswered: 'bad',
  skipped: 'mute',
  expired: 'bad',
  cancelled: 'mute',
}

export interface Mark {
  readonly label: string
  readonly tone: Tone
}

/** Returns the state of a job in one or two words. */
export function markOf(job: Pick<Job, 'state' | 'counts' | 'total'>, undone: boolean): Mark {
  const { state, counts, total } = job
  switch (state) {
    case 'scheduled':
      return { label: 'Scheduled', tone: 'mute' }
    case 'running':
      return { label: 'Running', tone: 'busy' }
    case 'paused':
      return { label: 'Paused', tone: 'warn' }
    case 'cancelling':
      return { label: 'Cancelling', tone: 'warn' }
    case 'ended':
      if (undone) return { label: 'Undone', tone: 'mute' }
      if (counts.done === total) return { label: 'Done', tone: 'ok' }
      if (counts.cancelled > 0) return { label: 'Cancelled', tone: 'warn' }
      return counts.done === 0 ? { label: 'Failed', tone: 'bad' } : { label: 'Partly done', tone: 'warn' }
  }
}

/** Returns the counts as text: `9 done · 2 refused · 1 skipped`. */
export const countsText = ({ counts }: Counted): string =>
  taskStates
    .toSorted((one, other) => Number(openStates.includes(one)) - Number(openStates.includes(other)))
    .filter(state => counts[state] > 0)
    .map(state => `${formatNumber(counts[state])} ${taskStateNames[state].toLowerCase()}`)
    .join(' · ')

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** Returns days of the week as text: `Mon–Fri`, `Sat, Sun`; undefined for all of them. */
function daysText(days: readonly number[]): string | undefined {
  if (days.length === dayNames.length) return undefined
  const runs: number[][] = []
  for (const day of days.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run?.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  const name = (day: number | undefined) => dayNames[(day ?? 1) - 1]
  return runs.flatMap(run => (run.length > 2 ? [`${name(run[0])}–${name(run.at(-1))}`] : run.map(name))).join(', ')
}

const windowText = ({ days, from, to }: JobWindow): string =>
  [daysText(days), `${from}–${to}`, 'in the device’s time zone'].filter(Boolean).join(' ')

const hoursText = (hours: number): string => (hours % 24 === 0 ? plural(hours / 24, 'day') : plural(hours, 'hour'))

/** Returns what the policy says, in words; empty for the policy of a job that tries each device once, at once. */
export function policyWords(policy: JobPolicy): readonly string[] {
  const { start, waves, rate, stop, offline, retries, window, success } = policy
  return [
    typeof start === 'object' && `repeated by ${start.rrule} in ${start.time_zone}`,
    waves &&
      `waves of ${waves.map(({ size }) => (typeof size === 'number' ? formatNumber(size) : size)).join(', ')}, then the rest`,
    rate !== undefined && `at most ${plural(rate, 'device')} a minute`,
    // More than all devices cannot fail: such a rule stands for none.
    stop && Number.parseFloat(stop.failed) < 100 && `stops if more than ${stop.failed} of at least ${stop.after} fail`,
    typeof offline === 'number' && `waits ${hoursText(offline)} for offline devices`,
    retries !== undefined && retries > 0 && `tries unanswered ones ${plural(retries, 'more time')}`,
    window && windowText(window),
    typeof success === 'object' && `done once the device runs it for ${plural(success.minutes, 'minute')}`,
  ].filter(text => typeof text === 'string')
}

/** Whether the job only creates others, at each time of a rule, and has no devices of its own. */
const isRepeated = ({ policy }: Pick<Job, 'policy'>): boolean => typeof policy.start === 'object'

/** Returns how many devices the job has: `12 devices`, or `repeated`. */
export const jobSizeText = (job: Pick<Job, 'policy' | 'total'>): string =>
  isRepeated(job) ? 'repeated' : countOf(job.total, 'devices')

/** Returns whether the rate determines when the last task ends: no later wave, window or device is awaited. */
const hasEnd = ({ begun, waves, policy, counts }: Job): boolean =>
  begun >= waves && policy.window === undefined && counts.waiting === 0

/** Returns what the job does next, or what it waits for: `next wave Nov 26, 2026, 02:00`. `rate`: tasks a second. */
export function nextText(job: Job, rate: number | undefined, now: number): string | undefined {
  const { state, counts, policy, start_at, next_wave_at, begun, waves } = job
  if (state === 'scheduled') return `${isRepeated(job) ? 'next time' : 'starts'} ${formatDateTime(start_at)}`
  if (state === 'paused') return job.reason ?? 'Paused by a person'
  if (!isRunning(job)) return undefined
  if (next_wave_at !== null && begun < waves) return `next wave ${formatDateTime(next_wave_at)}`
  if (counts.sent + counts.queued === 0 && counts.waiting > 0)
    return `waits for ${plural(counts.waiting, 'offline device')}`
  if (policy.window && counts.sent === 0 && counts.queued > 0) return 'waits for its window'
  const left = counts.queued + counts.sent
  if (left === 0 && job.until !== null) return 'waits for devices that match'
  if (rate !== undefined && left > 0 && hasEnd(job)) return `about ${formatDuration((left / rate) * 1000)} left`
  return `running for ${formatDuration(Math.max(0, now - Date.parse(start_at)))}`
}

/** Returns until when devices that come to match get a task; undefined for a job that has those it began with. */
export const untilText = ({ until }: Pick<Job, 'until'>): string | undefined =>
  until === null ? undefined : `new matches until ${formatDateTime(until)}`

/** Returns `2 of 5 waves`; undefined for a job with one wave. */
export const wavesText = ({ begun, waves }: Pick<Job, 'begun' | 'waves'>): string | undefined =>
  waves > 1 ? `wave ${Math.max(begun, 0)} of ${waves}` : undefined

/** Returns the tasks answered per second over the whole job; undefined if it is not over or too short. */
export function averageTaskRate({ counts, start_at, ended_at }: Job): number | undefined {
  if (ended_at === null) return undefined
  const seconds = (Date.parse(ended_at) - Date.parse(start_at)) / 1000
  const answered = counts.done + counts.refused + counts.unanswered
  return seconds >= 1 && answered > 1 ? answered / seconds : undefined
}
