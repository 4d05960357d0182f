/** The row that keys act on where nothing is selected. Kept by key, so that it means the same row when rows move. */
import { proxy } from 'valtio'
import { entities, perEntity } from './lists.ts'

export interface Focus {
  /** Undefined until the page that it moves into has arrived. */
  id: string | undefined
  index: number
  /** Where a range starts: the row last selected or clicked. Moving by keys leaves it, so that Shift+x reaches back to it. */
  anchor: string | undefined
  /** Counts keyboard moves, so that the table gives the row the browser's focus then, and only then. */
  moves: number
  /** Counts the pages that have arrived, so that what looks at the rows on screen looks again. */
  arrivals: number
  /** The list is about to be shown again, and its focused row to get the browser's focus. */
  returning: boolean
}

const initial = (): Focus => ({ id: undefined, index: 0, anchor: undefined, moves: 0, arrivals: 0, returning: false })
export const focus = perEntity(() => proxy(initial()))

export function resetFocus(): void {
  for (const entity of entities) Object.assign(focus[entity], initial())
}
