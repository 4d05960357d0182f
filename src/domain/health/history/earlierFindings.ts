/** Findings that a device had before its health was computed again: what is found again goes on under their numbers. */
import type { DiagnosisGroup } from '../types/assessment.ts'
import type { HealthState, OpenFinding } from '../types/state.ts'

/** A finding from before. Days are local, counted from 1 January 1970. */
export interface EarlierFinding {
  /** Its number in the state: 0 or less, because the new ones count from 1. */
  readonly number: number
  readonly group: DiagnosisGroup
  /** The earliest day on which it may have begun, and the one on which it was found. */
  readonly began: number
  readonly detected: number
  /** Its last day; null if it has not ended. */
  readonly ended: number | null
}

/**
 * Gives each open finding that an earlier one was about, too, the number of that: one of the same group, the days of both
 * overlapping. Of several it is the one that was found nearest in time. Call it after each day.
 */
export function resumeFindings(state: HealthState, earlier: readonly EarlierFinding[]): void {
  for (const [index, open] of state.open.entries()) {
    if (open.number <= 0) continue
    const distance = ({ detected }: EarlierFinding) => Math.abs(detected - open.day)
    const [same] = earlier
      .filter(each => isSame(each, open, state.day) && !state.open.some(({ number }) => number === each.number))
      .toSorted((one, other) => distance(one) - distance(other))
    if (same) state.open[index] = { ...open, number: same.number }
  }
}

const isSame = ({ group, began, ended }: EarlierFinding, open: OpenFinding, day: number): boolean =>
  group === open.group && began <= Math.max(day, open.day) && (ended === null || open.day <= ended)
