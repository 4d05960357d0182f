/** What has changed between two plans for the same targets. */
import type { DryRun } from '../types.ts'

/** A target of which something else is to come than was shown. */
export interface PlanChange {
  readonly id: string
  /** Why it is skipped; undefined where it is not. */
  readonly before: string | undefined
  readonly now: string | undefined
}

/** What a later plan for the same targets says otherwise. */
export function planChanges(before: DryRun, now: DryRun): readonly PlanChange[] {
  const reasons = (plan: DryRun) => new Map(plan.skipped.map(({ id, message }) => [id, message]))
  const then = reasons(before)
  const later = reasons(now)
  return [...before.affected, ...before.skipped.map(({ id }) => id)]
    .filter(id => then.get(id) !== later.get(id))
    .map(id => ({ id, before: then.get(id), now: later.get(id) }))
}
