/** Where the menu of a row is open, and what it acts on. */
import { proxy, ref } from 'valtio'
import type { Entity } from './lists.ts'
import { selections, type AnyItem } from './selection.ts'

interface Place {
  /** Pixels of the window. */
  readonly x: number
  readonly y: number
}

export const rowMenu = proxy<{
  at:
    | (Place & { readonly entity: Entity; /** Undefined for the selection. */ readonly row: AnyItem | undefined })
    | undefined
}>({ at: undefined })

/** Opens it on a row; on one that is selected, it is the menu of the selection. */
export function openRowMenu({ x, y }: Place, entity: Entity, row: AnyItem): void {
  const selected = selections[entity].colourOf(row.id) !== undefined
  rowMenu.at = { x, y, entity, row: selected ? undefined : ref(row) }
}
