/**
 * The selection before the last run that failed on some of it. Such a run leaves only the failed rows selected, so that
 * they can be looked at and retried.
 */
import type { Entity } from '../../../store/lists.ts'
import { selections, type AnyItem } from '../../../store/selection.ts'
import { session } from '../../../store/session.ts'
import { formatNumber } from '../../../domain/format.ts'

export interface EarlierSelection {
  readonly entity: Entity
  /** The id of the run. */
  readonly job: string
  readonly items: readonly AnyItem[]
  readonly sources: readonly string[]
  /** The ids that stayed selected. */
  readonly left: ReadonlySet<string>
  /** Whose selection it is. */
  readonly userId: string | null
}

let kept: EarlierSelection | undefined

/** Deselects the rows that a run is done with, and keeps the earlier selection if it failed on others. */
export function deselectDone(
  entity: Entity,
  job: string | undefined,
  done: readonly string[],
  failed: readonly string[],
): void {
  const selection = selections[entity]
  const { sources } = selection
  const items = selection.items()
  selection.remove(done)
  const left = failed.filter(id => selection.has(id))
  if (job === undefined || left.length === 0 || left.length !== selection.size || left.length === items.length) return
  kept = { entity, job, items, sources, left: new Set(left), userId: session.userId }
  selection.describe([stayedSelected(left.length)])
}

/** Returns the text about the rows that stayed selected: `8 that failed stay selected`. */
export const stayedSelected = (count: number): string =>
  `${formatNumber(count)} that failed ${count === 1 ? 'stays' : 'stay'} selected`

/** Returns the earlier selection, unless the selection has been changed since. */
export function earlierSelection(): EarlierSelection | undefined {
  const earlier = restorableSelection()
  return earlier && selections[earlier.entity].size > 0 ? earlier : undefined
}

/** Like `earlierSelection`, but also after the selection has been cleared. */
export function restorableSelection(): EarlierSelection | undefined {
  if (!kept || kept.userId !== session.userId) return undefined
  const { entity, left } = kept
  const { items, query } = selections[entity]
  const isUnchanged = items().length === left.size && items().every(({ id }) => left.has(id))
  return !query && (isUnchanged || items().length === 0) ? kept : undefined
}

/** Selects the rows of the earlier selection again. */
export function restoreEarlierSelection({ entity, items, sources }: EarlierSelection): void {
  kept = undefined
  selections[entity].replace(items, sources)
}
