/** Computes the changes of a device's state since the last report. */
import type { State } from '../server/protocol/messages.ts'

/** A device's reported state, without the time. */
export type ReportedState = Omit<State, 'at'>

/** Returns the properties of `now` that differ from `before`, or `undefined` if none does. */
export function stateDiff(before: ReportedState, now: ReportedState): ReportedState | undefined {
  const differing = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof ReportedState]),
  )
  return differing.length > 0 ? Object.fromEntries(differing) : undefined
}
