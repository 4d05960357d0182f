/** Moves the focus from row to row of a list, and past the end of a page to the next page. */
import { setPage } from '../../store/lists.ts'
import type { ListContext } from './context.ts'

/** Returns the number of the last page, counted from 1. */
export const lastPage = ({ count, state }: ListContext): number => Math.max(1, Math.ceil((count ?? 0) / state.limit))

export function moveFocusTo(list: ListContext, index: number): void {
  const row = list.rows[index]
  if (!row) return
  Object.assign(list.focus, { id: row.id, index, moves: list.focus.moves + 1 })
}

/** Moves the focus by a number of rows; at the end of the page it turns to the next one. */
export function moveFocusBy(list: ListContext, by: number): void {
  const index = list.rows.findIndex(row => row.id === list.focus.id)
  // If the focused row is no longer listed, the first move returns to its last position.
  const to = index < 0 ? Math.min(list.focus.index, list.rows.length - 1) : index + by
  const nearest = Math.max(0, Math.min(to, list.rows.length - 1))
  // A longer move stops at the end of the page; only a move from there turns the page.
  if (nearest === index) turnPage(list, by > 0 ? 1 : -1)
  else moveFocusTo(list, nearest)
}

/** Focuses the row at this index once the requested rows have loaded. */
export function focusWhenLoaded(list: ListContext, index: number): void {
  Object.assign(list.focus, { id: undefined, index, moves: list.focus.moves + 1 })
}

/** Turns to the next or previous page and focuses its first or last row once it has loaded. */
export function turnPage(list: ListContext, by: 1 | -1): void {
  const page = list.state.page + by
  if (page < 1 || page > lastPage(list)) return
  focusWhenLoaded(list, by > 0 ? 0 : list.state.limit - 1)
  setPage(list.state, page)
}
