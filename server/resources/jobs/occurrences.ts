/** When a job is to begin, and when a repeating one does so again. */
import { RRuleTemporal } from 'rrule-temporal'
import type { JobRepeat, JobStart } from '../../../src/api/contract/jobPolicy.ts'
import { msPerDay, msPerSecond } from '../../../src/domain/time.ts'
import { wallTime } from '../../../src/domain/zone.ts'
import { badRequest } from '../../core/errors.ts'

/**
 * The work for a rule, as some never happen: the 29th of February among the days of four years is found. A rule of this many
 * steps takes a tenth of a second at most.
 */
const limits = { maxIterations: 1500, maxCandidateEvaluations: 2000, cache: false }
/** How long ago a rule may begin, from where a count is counted, and how far ahead a job may. */
const maxDays = 400

/** A time of a rule, in place of Temporal's, which Node does not have. */
const plain = {
  ZonedDateTime: {
    from: (text: string) => {
      const [, iso = '', timeZoneId = ''] = /^(.*)\[(.*)\]$/.exec(text) ?? []
      return { timeZoneId, at: Date.parse(iso), toString: () => text }
    },
  },
}

export const isRepeat = (start: JobStart | undefined): start is JobRepeat => typeof start === 'object'

/**
 * Returns the first time of a rule after `after`, milliseconds UTC; undefined if it has no future occurrence. A time that
 * clocks skip does not happen, and one that they show twice happens once. Throws a 400 for a rule that is not valid, or whose
 * next time is years away.
 */
export function nextOccurrence({ rrule, from, time_zone }: JobRepeat, after: number): number | undefined {
  const first = Math.floor(Date.parse(from) / msPerSecond) * msPerSecond
  const wall = new Date(wallTime(time_zone, first)).toISOString().replace(/[-:]|\.\d+Z$/g, '')
  const rruleString = `DTSTART;TZID=${time_zone}:${wall}\nRRULE:${rrule}`
  return readRule(() => {
    const rule = new RRuleTemporal({ rruleString, temporal: plain, strict: true, ...limits })
    // The first of two times that are alike on the clock may be before `from`.
    return rule.next(new Date(Math.max(after, first - 1)))?.at
  })
}

/**
 * Returns when a job begins, for the first time if it is repeated. Throws a 400 for a rule that does not happen, and for a time
 * that is too far away.
 */
export function firstStart(start: JobStart | undefined, now: Date): Date {
  if (start === undefined) return now
  const isRepeated = isRepeat(start)
  const from = Date.parse(isRepeated ? start.from : start)
  if (from > now.getTime() + maxDays * msPerDay)
    throw badRequest(`Policy start${isRepeated ? ' from' : ''} must be within the next ${maxDays} days`)
  if (!isRepeated) return new Date(from)
  if (from < now.getTime() - maxDays * msPerDay)
    throw badRequest(`Policy start from must be within the last ${maxDays} days, or later`)
  const first = nextOccurrence(start, now.getTime() - 1)
  if (first === undefined) throw badRequest('Policy start rrule has no future occurrence')
  return new Date(first)
}

function readRule<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw badRequest(
      /exceeded/.test(message)
        ? 'Policy start rrule has no occurrence in the next years'
        : `Policy start rrule is not valid: ${message}`,
    )
  }
}
