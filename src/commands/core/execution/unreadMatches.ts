/** Targets that the server finds, by a search or in a job, and the page only counts. Loaded when first needed. */
import { unreadMatch, type AnyItem } from '../../../store/selection.ts'

/** Returns a placeholder for each target. */
export const unreadMatches = (count: number): readonly AnyItem[] => Array<AnyItem>(count).fill(unreadMatch)
/** Whether targets are only counted. */
export const areUnread = ([first]: readonly AnyItem[]): boolean => first === unreadMatch
/** Returns the ids of targets; none if they are only counted. */
export const idsOf = (targets: readonly AnyItem[]): readonly string[] =>
  areUnread(targets) ? [] : targets.map(({ id }) => id)
