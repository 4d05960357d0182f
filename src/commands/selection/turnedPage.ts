/** The row in focus after a page was turned. Loaded when first needed. */
import type { Entity } from '../../store/lists.ts'
import type { AnyItem } from '../../store/selection.ts'
import { currentContext } from '../core/context.ts'
import { whenRowsLoaded } from '../core/execution/whenRowsLoaded.ts'
import { isListPending } from '../core/pendingRows.ts'

/**
 * Resolves with the row that the focus has moved to once its page has loaded; undefined if that fails, or another page or
 * screen is opened meanwhile.
 */
export async function rowOfTurnedPage(entity: Entity, page: number, signal: AbortSignal): Promise<AnyItem | undefined> {
  const turned = () => {
    const { list } = currentContext()
    return list?.entity === entity && list.state.page === page ? list : undefined
  }
  await whenRowsLoaded(() => {
    const list = turned()
    return list !== undefined && isListPending(list)
  }, signal)
  const list = turned()
  return list?.rows.find(({ id }) => id === list.focus.id)
}
