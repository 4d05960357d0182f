/** Moving the focused row, through page ends into the next page. */
import { setPage } from '../../store/lists.ts'
import type { ListContext } from './context.ts'

export const lastPage = ({ count, state }: ListContext): number => Math.max(1, Math.ceil((count ?? 0) / state.limit))

export function moveFocusTo(list: ListContext, index: number): void {
  const row = list.rows[index]
  if (!row) return
  Object.assign(list.focus, { id: row.id, index, moves: list.focus.moves + 1 })
}

/** By so many rows; past the end it turns the page and goes on from there. */
export function moveFocus(list: ListContext, by: number): void {
  const at = list.rows.findIndex(row => row.id === list.focus.id)
  // Without a focused row the first step goes to where it was last, not past it.
  const to = at < 0 ? Math.min(list.focus.index, list.rows.length - 1) : at + by
  const nearest = Math.max(0, Math.min(to, list.rows.length - 1))
  // A longer step stops at the end of the page; only from there it goes on to the next.
  if (nearest === at) turnPage(list, by > 0 ? 1 : -1)
  else moveFocusTo(list, nearest)
}

/** The row at that place gets the focus as soon as the rows that were asked for are there. */
export function focusOnArrival(list: ListContext, index: number): void {
  Object.assign(list.focus, { id: undefined, index, moves: list.focus.moves + 1 })
}

/** Focus waits at the near end of the new page until its rows arrive. */
export function turnPage(list: ListContext, by: 1 | -1): void {
  const page = list.state.page + by
  if (page < 1 || page > lastPage(list)) return
  focusOnArrival(list, by > 0 ? 0 : list.state.limit - 1)
  setPage(list.state, page)
}
