/** Fixing a selection that follows a search, with its progress shown. Loaded when first needed. */
import type { Entity } from '../../../store/lists.ts'
import type { AnyItem } from '../../../store/selection.ts'
import { materializeSelection } from '../../selection/materialize.ts'
import { toastProgress } from '../toasts/progress.tsx'

/** What matches now, selected by its ids. Rejects with ApiError, or AbortError when the person cancels. */
export async function materializeWithProgress(entity: Entity): Promise<readonly AnyItem[]> {
  const progress = toastProgress('Reading what is selected')
  try {
    return await materializeSelection(entity, progress)
  } finally {
    progress.end()
  }
}
