/** The shared needs of commands: each returns the targets from the context, or the reason why there are none. */
import { selections, type AnyItem, type Selection } from '../../store/selection.ts'
import type { Needs } from './types.ts'
import type { ListContext } from './context.ts'
import { lastPage } from './listRows.ts'

export const nothing: Needs<undefined> = () => ({ target: undefined })

export const currentList: Needs<ListContext> = ({ list }) =>
  list ? { target: list } : { blocked: 'Open a list first' }

/** Blocks with the reason, or with the fact that the list is still loading, because it may not apply afterwards. */
const blockedReason = (list: ListContext | undefined, reason: string) => ({
  blocked: list && list.count === undefined ? 'The list is still loading' : reason,
})

/** A list with loaded rows. */
export const listedRows: Needs<ListContext> = ({ list }) => {
  if (!list) return { blocked: 'Open a list first' }
  return list.rows.length > 0 ? { target: list } : blockedReason(list, 'The list is empty')
}

/** A list for commands that read all matches themselves, so the page on screen may still be loading. */
export const listedMatches: Needs<ListContext> = ({ list }) => {
  if (!list) return { blocked: 'Open a list first' }
  return list.count === 0 ? { blocked: 'The list is empty' } : { target: list }
}

export const someSelected: Needs<Selection> = ({ list }) => {
  const selection = selections[list?.entity ?? 'devices']
  return selection.size > 0 || selection.query ? { target: selection } : { blocked: 'Nothing is selected' }
}

export const rowInFocus: Needs<{ row: AnyItem; list: ListContext }> = ({ list }) => {
  const row = list?.rows.find(({ id }) => id === list.focus.id)
  return list && row ? { target: { row, list } } : blockedReason(list, 'Move to a row first')
}

export const notOnFirstPage: Needs<ListContext> = ({ list }) =>
  list && list.state.page > 1 ? { target: list } : { blocked: 'This is the first page' }

export const notOnLastPage: Needs<ListContext> = ({ list }) =>
  list && list.state.page < lastPage(list) ? { target: list } : blockedReason(list, 'This is the last page')
