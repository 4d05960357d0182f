/** The open context menu of a row: its position and target. */
import { proxy, ref } from 'valtio'
import type { Entity } from './lists.ts'
import { selections, type AnyItem } from './selection.ts'

interface MenuPosition {
  /** Pixels of the window. */
  readonly x: number
  readonly y: number
}

export const rowMenu = proxy<{
  at:
    | (MenuPosition & {
        readonly entity: Entity
        /** Undefined for the selection. */ readonly row: AnyItem | undefined
      })
    | undefined
}>({ at: undefined })

/** Opens the menu of a row, or of the whole selection if the row is selected. */
export function openRowMenu({ x, y }: MenuPosition, entity: Entity, row: AnyItem): void {
  const selected = selections[entity].colourOf(row.id) !== undefined
  rowMenu.at = { x, y, entity, row: selected ? undefined : ref(row) }
}
