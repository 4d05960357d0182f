/** Changes how the columns of a list are arranged. */
import { columnWidths, keyColumn, orderedColumns, type Arrangement } from '../../store/columns.ts'
import type { Entity } from '../../store/lists.ts'

/** Sets a column's width in pixels, within `columnWidths`. */
export function setColumnWidth(list: Arrangement, column: string, width: number): void {
  list.widths[column] = Math.round(Math.max(columnWidths.min, Math.min(width, columnWidths.max)))
}

/**
 * Moves a column before another one, or to the end if that is undefined. It becomes pinned before a pinned column, and
 * unpinned elsewhere. The key column stays first.
 */
export function moveColumn(entity: Entity, list: Arrangement, column: string, before: string | undefined): void {
  const key = keyColumn(entity)
  if (column === key || column === before) return
  const order = orderedColumns(entity, list).filter(other => other !== column)
  const index = before === undefined ? -1 : order.indexOf(before)
  order.splice(index < 0 ? order.length : Math.max(1, index), 0, column)
  list.order = order
  setPinned(list, column, before !== undefined && list.pinned.includes(before))
}

export function setPinned(list: Arrangement, column: string, pinned: boolean): void {
  list.pinned = list.pinned.filter(other => other !== column)
  if (pinned) list.pinned.push(column)
}

/** Returns to the columns, order and widths that the list defines. */
export function resetColumns(list: Arrangement): void {
  Object.assign(list, { shown: {}, order: [], widths: {}, pinned: [] } satisfies Arrangement)
}

export const isRearranged = ({ shown, order, widths, pinned }: Arrangement): boolean =>
  [shown, order, widths, pinned].some(change => Object.keys(change).length > 0)
