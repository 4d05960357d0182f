/** How many targets a job ends in a second, smoothed: chunks are answered in bursts. */
import { endedOf, type Job } from '../core/runs/jobs.ts'

/** Seconds after which what was counts half. */
const halfLife = 4
/** Milliseconds between two looks that count. */
const between = 250

export interface Rate {
  readonly at: number
  readonly ended: number
  /** Targets and seconds, the latest in full and the earlier ones the less the longer ago they are. */
  readonly targets: number
  readonly seconds: number
}

export const rateFrom = (ended: number, at: number): Rate => ({ at, ended, targets: 0, seconds: 0 })

/** What a look at `at` milliseconds adds to what was known. */
export function rateAt(before: Rate, ended: number, at: number): Rate {
  const seconds = (at - before.at) / 1000
  if (seconds * 1000 < between) return before
  const fades = 0.5 ** (seconds / halfLife)
  return {
    at,
    ended,
    targets: before.targets * fades + Math.max(0, ended - before.ended),
    seconds: before.seconds * fades + seconds,
  }
}

/** Undefined until there is something to tell it by. */
export const perSecond = ({ targets, seconds }: Rate): number | undefined =>
  seconds > 0 && targets > 0 ? targets / seconds : undefined

const rates = new WeakMap<object, Rate>()

/** The job’s rate now, the same wherever it is shown; to be asked for about twice a second. */
export function rateOf(
  job: Pick<Job, 'detail' | 'startedAt' | 'done' | 'failed' | 'meanwhile'>,
  now: number,
): number | undefined {
  // What it leaves alone ended before it began.
  const rate = rateAt(rates.get(job.detail) ?? rateFrom(job.detail.skipped.size, job.startedAt), endedOf(job), now)
  rates.set(job.detail, rate)
  return perSecond(rate)
}
