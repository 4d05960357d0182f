/** What can be wrong with a unit, by the status that it shows (specification, section 4), and what follows from it. */
import type { StatusCode } from '../../src/domain/device.ts'
import type { Fault, Reading } from '../../server/protocol/messages.ts'
import type { Random } from './random.ts'
import { day, hour, minute } from './time.ts'

export interface Failure {
  /** What the unit says of itself besides its status. */
  readonly faults: readonly Fault[]
  /** Whether it produces water all the same. */
  readonly runs: boolean
  /** What its sensors do not give. */
  readonly unread: readonly (keyof Reading)[]
}

const stopped = (...faults: Fault[]): Failure => ({ faults, runs: false, unread: [] })
const blind = (fault: Fault, ...unread: (keyof Reading)[]): Failure => ({ faults: [fault], runs: true, unread })

export const failures: Readonly<Partial<Record<StatusCode, Failure>>> = {
  4: stopped('leak'),
  5: stopped(),
  7: stopped(),
  8: stopped(),
  10: stopped('pump_failure'),
  11: blind('inlet_flow_sensor', 'feed_flow'),
  12: blind('outlet_flow_sensor', 'permeate_flow'),
  13: blind('pressure_sensor', 'pressure'),
  14: blind('inlet_temperature_sensor', 'temperature'),
  // The temperature that units report is the feed's.
  15: blind('outlet_temperature_sensor'),
  16: blind('inlet_tds_sensor', 'feed_tds'),
  17: blind('outlet_tds_sensor', 'permeate_tds'),
  18: stopped('no_feed_water'),
}

/** No feed water arrives: there is no pressure to read. */
export const dry: StatusCode = 18

/** Something breaks about once in three years a unit. */
const meanBetween = 1000 * day

export const nextFailure = (after: number, dice: Random): number => after + dice.until(meanBetween)

/** How often each happens against the others, and how long it takes until it is put right. */
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

/** What breaks, and until when. */
export const failureAt = (at: number, dice: Random): { readonly status: StatusCode; readonly ends: number } => ({
  status: dice.weighted(kinds),
  ends: at + dice.between(20 * minute, 8 * hour),
})
