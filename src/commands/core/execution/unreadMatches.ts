/** Targets that are the matches of a search, of which only the number is known. Loaded when first needed. */
import { unreadMatch, type AnyItem } from '../../../store/selection.ts'

/** Returns a placeholder for each match. */
export const unreadMatches = (count: number): readonly AnyItem[] => Array<AnyItem>(count).fill(unreadMatch)
/** Whether targets only stand for the matches of a search. */
export const areUnread = ([first]: readonly AnyItem[]): boolean => first === unreadMatch
/** Returns the ids of targets; none if they are only counted. */
export const idsOf = (targets: readonly AnyItem[]): readonly string[] =>
  areUnread(targets) ? [] : targets.map(({ id }) => id)
