/** The columns of a list as the person arranged them: visibility, order, widths, and which are pinned. */
import { columnOf, listColumns } from '../domain/lists/lists.ts'
import { afterFirstRows } from './firstRows.ts'
import { columnsName, entities, lists, storedColumns, type Entity, type ListState } from './lists.ts'
import { syncWithOtherTabs } from './persist.ts'

/** What the person has changed; everything else is as the list defines it. */
export type Arrangement = Pick<ListState, 'shown' | 'order' | 'widths' | 'pinned'>

// Deferred, as for the session.
void afterFirstRows().then(() => {
  for (const entity of entities) syncWithOtherTabs(columnsName(entity), lists[entity], storedColumns)
})

/** Pixels. */
export const columnWidths = { min: 48, max: 800 } as const

/** Returns the column with the rows' keys, which always comes first, and scrolls sideways only if it is too wide to stay. */
export const keyColumn = (entity: Entity): string => Object.keys(listColumns(entity))[0]!

/** Whether a column is shown: as the person chose, or by its default. */
export const isColumnVisible = (entity: Entity, list: Pick<ListState, 'shown'>, column: string): boolean =>
  list.shown[column] ?? !columnOf(entity, column)?.hidden

/** Whether a column stays at the left while the others scroll sideways. */
export const isPinned = (entity: Entity, list: Pick<ListState, 'pinned'>, column: string): boolean =>
  column === keyColumn(entity) || list.pinned.includes(column)

/** Returns a column's width in pixels. */
export const columnWidth = (entity: Entity, list: Pick<ListState, 'widths'>, column: string): number =>
  list.widths[column] ?? columnOf(entity, column)?.width ?? columnWidths.min

/**
 * Returns all columns, visible or not, in their order: the key, the pinned ones, the others. A column that the person's
 * order does not contain, as it is newer, follows the one that it follows by default.
 */
export function orderedColumns(entity: Entity, list: Pick<Arrangement, 'order' | 'pinned'>): readonly string[] {
  const defaults = Object.keys(listColumns(entity))
  const order = list.order.filter(column => defaults.includes(column))
  for (const [index, column] of defaults.entries())
    if (!order.includes(column)) order.splice(order.indexOf(defaults[index - 1] ?? '') + 1, 0, column)
  const key = keyColumn(entity)
  const others = order.filter(column => column !== key)
  const pinned = others.filter(column => list.pinned.includes(column))
  return [key, ...pinned, ...others.filter(column => !list.pinned.includes(column))]
}
