/** Flow and salt as they are measured, beside what they are at standard conditions. */
import { finalDays, learnDays } from '../channelState.ts'
import { median } from '../maths/median.ts'
import type { DaySums } from '../types/observations.ts'

/**
 * The channels that have a measured value: of `a` the mean permeate flow of a day in l/min, of `b` the mean of the permeate's
 * over the feed's TDS in settled readings.
 */
export const measuredChannels = ['a', 'b'] as const
export type MeasuredChannel = (typeof measuredChannels)[number]

/** Returns the measured value of a day as ln; undefined where there is none. */
export function measuredValue(
  channel: MeasuredChannel,
  { flows, flow, passages, passage }: Pick<DaySums, 'flows' | 'flow' | 'passages' | 'passage'>,
): number | undefined {
  const [count, sum] = channel === 'a' ? [flows, flow] : [passages, passage]
  return count > 0 && sum > 0 ? Math.log(sum / count) : undefined
}

/** A day, counted from 1970, and its measured value. */
export interface MeasuredDay {
  readonly day: number
  readonly value: number
}

/**
 * Returns what was measured while the baseline was learned, which ended on the day `since`: the median of these days, as for
 * the baseline itself. `days`: in order, from the first that counts on. Undefined without any.
 */
export function measuredBaseline(days: readonly MeasuredDay[], since: number): number | undefined {
  const learned = [
    ...days.filter(({ day }) => day <= since).slice(-learnDays),
    ...days.filter(({ day }) => day > since).slice(0, finalDays - learnDays),
  ]
  return learned.length === 0 ? undefined : median(learned.map(({ value }) => value))
}
