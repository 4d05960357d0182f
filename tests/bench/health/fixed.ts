/** The usual alarms for comparison: fixed thresholds on what is measured, against the first weeks. */
import { median } from '../../../src/domain/health/maths/median.ts'
import type { DayView } from './supplyRun.ts'

/** Losses of flow, rises of salt passage, and changes of concentrate flow that alarm on three days running, as ln. */
const limits = { a: -0.25, b: 0.4, r: 0.35 } as const
const inARow = 3
const baselineDays = 14

/** Returns whether there is an alarm after a day, of a pipeline of raw values. */
export type Fixed = (view: DayView) => boolean

export function fixedThresholds(): Fixed {
  const known = { a: [] as number[], b: [] as number[], r: [] as number[] }
  const days = { a: 0, b: 0, r: 0 }
  return ({ pipeline, day }) => {
    const { state } = pipeline
    if (state === undefined) return false
    if ((state.rest.at(-1) ?? 0) > 1) return true
    let isAlarm = false
    for (const channel of ['a', 'b', 'r'] as const) {
      const own = state.channels[channel]
      if (own === undefined || own.day !== day || own.raw.length === 0) continue
      const value = own.raw.at(-1)!
      if (known[channel].length < baselineDays) {
        known[channel].push(value)
        continue
      }
      const change = value - median(known[channel])
      const isOver =
        channel === 'a' ? change < limits.a : channel === 'b' ? change > limits.b : Math.abs(change) > limits.r
      days[channel] = isOver ? days[channel] + 1 : 0
      isAlarm ||= days[channel] >= inARow
    }
    return isAlarm
  }
}
