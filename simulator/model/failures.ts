/** Failures of a unit, by the status that it reports (specification, section 4). */
import type { StatusCode } from '../../src/domain/device.ts'
import { faultOfStatus } from '../../src/domain/notifications/definitions.ts'
import type { Fault } from '../../src/domain/notifications/types.ts'
import type { Reading } from '../../server/protocol/messages.ts'
import type { Random } from './random.ts'
import { msPerDay, msPerHour, msPerMinute } from '../../src/domain/time.ts'

export interface Failure {
  /** Whether the unit still produces water. */
  readonly runs: boolean
  /** The values that are missing in readings. */
  readonly missingValues: readonly (keyof Reading)[]
}

/** A failure that stops the unit. */
const outOfService: Failure = { runs: false, missingValues: [] }
/** Returns the failure of a sensor. */
const sensorFailure = (...missingValues: (keyof Reading)[]): Failure => ({ runs: true, missingValues })

export const failures: Readonly<Partial<Record<StatusCode, Failure>>> = {
  4: outOfService,
  5: outOfService,
  7: outOfService,
  8: outOfService,
  10: outOfService,
  11: sensorFailure('feed_flow'),
  12: sensorFailure('permeate_flow'),
  13: sensorFailure('pressure'),
  14: sensorFailure('temperature'),
  // The temperature that units report is the feed's.
  15: sensorFailure(),
  16: sensorFailure('feed_tds'),
  17: sensorFailure('permeate_tds'),
  18: outOfService,
}

/** Returns the faults that a unit reports beside its status. */
export function faultsOf(status: StatusCode): Fault[] {
  const fault = faultOfStatus[status]
  return fault === undefined ? [] : [fault]
}

/** The status for missing feed water: there is no pressure. */
export const noFeedWater: StatusCode = 18

/** Mean milliseconds between two failures of a unit: almost three years. */
const meanInterval = 1000 * msPerDay

/** Returns the time of the next failure after a time, milliseconds UTC. */
export const nextFailure = (after: number, rng: Random): number => after + rng.exponential(meanInterval)

/** The random failures with their weights. */
const failureWeights: readonly (readonly [StatusCode, number])[] = [
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

/** Returns the status of a failure that begins at a time, and when it is repaired; milliseconds UTC. */
export const randomFailure = (
  at: number,
  rng: Random,
): { readonly status: StatusCode; readonly repairedAt: number } => ({
  status: rng.weighted(failureWeights),
  repairedAt: at + rng.between(20 * msPerMinute, 8 * msPerHour),
})
