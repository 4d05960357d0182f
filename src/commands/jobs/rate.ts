/** The rate of a job in targets per second. It is smoothed, because the outcomes of a chunk arrive together. */
import type { Job as ServerJob } from '../../api/contract/jobs.ts'
import { endedCount } from '../../domain/jobs/counts.ts'
import { endedOf, type Job } from '../core/runs/jobs.ts'

/** Seconds after which a measurement has half its weight. */
const halfLife = 4
/** Minimum milliseconds between two measurements. */
const between = 250

export interface Rate {
  readonly at: number
  readonly ended: number
  /** Targets and seconds, weighted: the newest count fully, and older ones decay exponentially. */
  readonly targets: number
  readonly seconds: number
}

export const rateFrom = (ended: number, at: number): Rate => ({ at, ended, targets: 0, seconds: 0 })

/** Returns the rate after a measurement at `at` milliseconds, or `before` if that is too soon. */
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

/** Returns targets per second, or undefined before any target has ended. */
export const perSecond = ({ targets, seconds }: Rate): number | undefined =>
  seconds > 0 && targets > 0 ? targets / seconds : undefined

const rates = new WeakMap<object, Rate>()

/** Returns the job's current rate; all callers share one measurement. Call it about twice a second. */
export function rateOf(
  job: Pick<Job, 'detail' | 'startedAt' | 'done' | 'failed' | 'inFlight'>,
  now: number,
): number | undefined {
  // Skipped targets ended before the job started, so they do not count.
  const rate = rateAt(rates.get(job.detail) ?? rateFrom(job.detail.skipped.size, job.startedAt), endedOf(job), now)
  rates.set(job.detail, rate)
  return perSecond(rate)
}

/** The rates of the server's jobs since they were first looked at, by id. */
const serverRates = new Map<string, Rate>()

/** Returns the current rate of a job of the server; all callers share one measurement. */
export function serverRateOf(job: Pick<ServerJob, '_id' | 'counts' | 'total'>, now: number): number | undefined {
  const ended = endedCount(job)
  const rate = rateAt(serverRates.get(job._id) ?? rateFrom(ended, now), ended, now)
  serverRates.set(job._id, rate)
  return perSecond(rate)
}
