/** The period of statistics: the newest range, or the calendar period of a time. */
import type { Range } from '../../../src/api/contract/statistics.ts'
import { bucketsOfPeriod, newestBuckets, type Buckets } from '../../../src/domain/buckets.ts'
import { parseTime } from '../shared/times.ts'

export interface Period {
  readonly range: Range
  /** A time within the calendar period, or its end; undefined is the newest range, up to now. */
  readonly until: Date | undefined
}

/** Parses the period's time. The limits leave room for a range of a year and a time-zone offset. @throws HttpError 400 */
export const parseUntil = (until: string | undefined): Date | undefined =>
  until === undefined ? undefined : parseTime('Until', until, 3, 9998)

export const bucketsOf = ({ range, until, zone }: Period & { readonly zone: string }, now: Date): Buckets =>
  until ? bucketsOfPeriod(range, until.getTime(), zone) : newestBuckets(range, now.getTime(), zone)
