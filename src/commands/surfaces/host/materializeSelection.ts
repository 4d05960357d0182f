/** Reads the matches of a followed search and shows the progress. Loaded when first needed. */
import type { Entity } from '../../../store/lists.ts'
import type { AnyItem, ListSearch } from '../../../store/selection.ts'
import { matchingItems, materializeSelection } from '../../selection/materialize.ts'
import { toastProgress, type ShownProgress } from '../toasts/progress.tsx'

async function withProgress<Result>(read: (progress: ShownProgress) => Promise<Result>): Promise<Result> {
  const progress = toastProgress('Loading the selection')
  try {
    return await read(progress)
  } finally {
    progress.end()
  }
}

/** Selects the current matches by their ids and returns them. Rejects with ApiError, or AbortError if cancelled. */
export const materializeWithProgress = (entity: Entity): Promise<readonly AnyItem[]> =>
  withProgress(progress => materializeSelection(entity, progress))

/** Returns the current matches of a search. Rejects with ApiError, or AbortError if cancelled. */
export const matchesWithProgress = (entity: Entity, search: ListSearch): Promise<readonly AnyItem[]> =>
  withProgress(progress => matchingItems(entity, search, progress))
