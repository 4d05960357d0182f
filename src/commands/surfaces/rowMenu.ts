import { proxy } from 'valtio'

/** Where the row menu is open, in pixels of the window. */
export const rowMenu = proxy<{ at: { x: number; y: number } | undefined }>({ at: undefined })
export function openRowMenu({ x, y }: { x: number; y: number }): void {
  rowMenu.at = { x, y }
}
