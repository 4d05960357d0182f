/**
 * The focused row, which keys act on when nothing is selected. Stored by id, so that it stays the same row when rows
 * move.
 */
import { proxy } from 'valtio'
import { entities, perEntity } from './lists.ts'

export interface Focus {
  /** Undefined until the page that the focus moves to has loaded. */
  id: string | undefined
  index: number
  /**
   * The start of a range: the row last selected or clicked. Moving by keys does not change it, so that Shift+x extends
   * from it.
   */
  anchor: string | undefined
  /** Counts keyboard moves: the table moves the DOM focus to the row only when this changes. */
  moves: number
  /** Counts loaded pages, so that code that depends on the rows on screen reads them again. */
  pageLoads: number
  /** Whether loading the rows on screen, or the open device, has failed, so that nothing waits for them. */
  hasFailed: boolean
  /** Whether the list is about to be shown again, and its focused row is to receive the DOM focus. */
  focusOnReturn: boolean
}

const initial = (): Focus => ({
  id: undefined,
  index: 0,
  anchor: undefined,
  moves: 0,
  pageLoads: 0,
  hasFailed: false,
  focusOnReturn: false,
})
export const focus = perEntity(() => proxy(initial()))

/** The focused entry of the overview, and the number of moves to it by keys. */
export const overviewFocus = proxy<{ entry: string | undefined; moves: number }>({ entry: undefined, moves: 0 })

export function resetFocus(): void {
  for (const entity of entities) Object.assign(focus[entity], initial())
  Object.assign(overviewFocus, { entry: undefined, moves: 0 })
}
