/** Materializes a followed search and shows the progress. Loaded when first needed. */
import type { Entity } from '../../../store/lists.ts'
import type { AnyItem } from '../../../store/selection.ts'
import { materializeSelection } from '../../selection/materialize.ts'
import { toastProgress } from '../toasts/progress.tsx'

/** Selects the current matches by their ids and returns them. Rejects with ApiError, or AbortError if cancelled. */
export async function materializeWithProgress(entity: Entity): Promise<readonly AnyItem[]> {
  const progress = toastProgress('Loading the selection')
  try {
    return await materializeSelection(entity, progress)
  } finally {
    progress.end()
  }
}
