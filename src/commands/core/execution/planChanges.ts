import type { DryRun } from '../types.ts'

/** A target that is skipped for another reason than in the earlier plan, or no longer. */
export interface PlanChange {
  readonly id: string
  /** The reason why it was skipped; undefined if it was not. */
  readonly before: string | undefined
  readonly now: string | undefined
}

/** Returns the changes between two plans for the same targets. */
export function planChanges(before: DryRun, now: DryRun): readonly PlanChange[] {
  const reasons = (plan: DryRun) => new Map(plan.skipped.map(({ id, message }) => [id, message]))
  const reasonsBefore = reasons(before)
  const reasonsNow = reasons(now)
  return [...before.affected, ...before.skipped.map(({ id }) => id)]
    .filter(id => reasonsBefore.get(id) !== reasonsNow.get(id))
    .map(id => ({ id, before: reasonsBefore.get(id), now: reasonsNow.get(id) }))
}
