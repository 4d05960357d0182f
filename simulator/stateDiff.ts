/** What of a device's state has changed since it was told last. */
import type { State } from '../server/protocol/messages.ts'

/** All that a device tells of itself, but the time. */
export type ReportedState = Omit<State, 'at'>

/** The parts of `now` that differ from `before`; `undefined` where none does. */
export function stateDiff(before: ReportedState, now: ReportedState): ReportedState | undefined {
  const differing = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof ReportedState]),
  )
  return differing.length > 0 ? Object.fromEntries(differing) : undefined
}
