/** Findings that a person has shelved or dismissed: they are followed, but do not count until their time is over or they have grown. */
import { assess } from '../../../src/domain/health/assess.ts'
import { findingSize } from '../../../src/domain/health/findingParts.ts'
import type { Assessment } from '../../../src/domain/health/types/assessment.ts'
import type { HealthContext } from '../../../src/domain/health/types/context.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'

export interface SetAside {
  /** Its number in the state. */
  readonly number: number
  /** When it is open again, in milliseconds UTC; Infinity if it was dismissed. */
  readonly until: number
  /** Its size when it was shelved or dismissed; null where earlier versions did not keep that. */
  readonly size: number | null
}

/** A finding that has grown by this factor since it was shelved or dismissed is open again. */
const growth = 1.5

/** What a device shows on a day. */
export interface Shown {
  /** `assessment` counts all findings, `shown` leaves out the findings that are set aside. */
  readonly assessment: Assessment
  readonly shown: Assessment
  /** Numbers of the findings that are no longer set aside. */
  readonly returned: readonly number[]
  /** When the first of the others is open again, in milliseconds UTC; Infinity without any. */
  readonly shelf_ends: number
}

/** Assesses a device for the day `context.day`. `now`: milliseconds UTC. */
export function assessShown(
  state: HealthState,
  context: HealthContext,
  setAside: readonly SetAside[],
  now: number,
): Shown {
  const assessment = assess(state, context)
  const sizes = new Map(assessment.findings.map(finding => [finding.number, findingSize(finding)]))
  const isBack = ({ number, until, size }: SetAside) =>
    until <= now || (size !== null && (sizes.get(number) ?? 0) >= growth * size)
  const [returned, staying] = [setAside.filter(isBack), setAside.filter(each => !isBack(each))]
  const open = state.open.filter(finding => !staying.some(({ number }) => number === finding.number))
  return {
    assessment,
    shown: staying.length === 0 ? assessment : assess({ ...state, open }, context),
    returned: returned.map(({ number }) => number),
    shelf_ends: Math.min(Infinity, ...staying.map(({ until }) => until)),
  }
}
