import type { Failure } from '../../domain/commands/failures.ts'

/** The ids that failed with the same reason. */
export interface ReasonGroup {
  readonly reason: string
  readonly ids: readonly string[]
}

/** Returns the failures grouped by reason, the largest group first. */
export function groupByReason(failed: readonly Failure[]): readonly ReasonGroup[] {
  const groups = new Map<string, string[]>()
  for (const { id, message } of failed) {
    const group = groups.get(message)
    if (group) group.push(id)
    else groups.set(message, [id])
  }
  return [...groups].map(([reason, ids]) => ({ reason, ids })).sort((a, b) => b.ids.length - a.ids.length)
}
