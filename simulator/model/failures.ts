/** The failures of a unit, by the status that it shows (specification, section 4), and what each one stops. */
import type { StatusCode } from '../../src/domain/device.ts'
import { faultOfStatus } from '../../src/domain/notifications/definitions.ts'
import type { Fault } from '../../src/domain/notifications/types.ts'
import type { Reading } from '../../server/protocol/messages.ts'
import type { Random } from './random.ts'
import { day, hour, minute } from './time.ts'

export interface Failure {
  /** Whether the unit produces water all the same. */
  readonly runs: boolean
  /** The values that its sensors cannot give. */
  readonly unread: readonly (keyof Reading)[]
}

const stopped: Failure = { runs: false, unread: [] }
const blind = (...unread: (keyof Reading)[]): Failure => ({ runs: true, unread })

export const failures: Readonly<Partial<Record<StatusCode, Failure>>> = {
  4: stopped,
  5: stopped,
  7: stopped,
  8: stopped,
  10: stopped,
  11: blind('feed_flow'),
  12: blind('permeate_flow'),
  13: blind('pressure'),
  14: blind('temperature'),
  // The temperature that units report is the feed's.
  15: blind(),
  16: blind('feed_tds'),
  17: blind('permeate_tds'),
  18: stopped,
}

/** Returns what a unit of this status reports besides it. */
export function faultsOf(status: StatusCode): Fault[] {
  const fault = faultOfStatus[status]
  return fault === undefined ? [] : [fault]
}

/** No feed water arrives, so there is no pressure to read. */
export const dry: StatusCode = 18

/** A unit fails about once in three years. */
const meanBetween = 1000 * day

export const nextFailure = (after: number, dice: Random): number => after + dice.until(meanBetween)

/** The failures that happen, each with its weight. */
const kinds: readonly (readonly [StatusCode, number])[] = [
  [4, 2],
  [5, 2],
  [7, 1],
  [8, 3],
  [10, 2],
  [11, 1],
  [12, 1],
  [13, 1],
  [14, 1],
  [15, 1],
  [16, 1],
  [17, 1],
  [18, 4],
]

/** Returns a failure that begins at a moment, and when it is repaired. */
export const failureAt = (at: number, dice: Random): { readonly status: StatusCode; readonly ends: number } => ({
  status: dice.weighted(kinds),
  ends: at + dice.between(20 * minute, 8 * hour),
})
