/**
 * The code of tables that the first rows are drawn without, and which loads after them: virtualizers, and the DOM focus that
 * follows its row.
 */
import { elementScroll, Virtualizer, type PartialKeys, type VirtualizerOptions } from '@tanstack/react-virtual'

export type TableVirtualizer = Virtualizer<HTMLDivElement, HTMLElement>
type TableOptions = VirtualizerOptions<HTMLDivElement, HTMLElement>
/** What a table says of its rows or columns. */
export type Options = PartialKeys<TableOptions, 'scrollToFn'>

/** Scrolls unless the offset is already current: each virtualizer does so at its start, which forces a layout. */
export function scrollIfNeeded<Item extends Element>(
  offset: number,
  options: { adjustments?: number; behavior?: ScrollBehavior },
  instance: Virtualizer<HTMLDivElement, Item>,
): void {
  if (offset + (options.adjustments ?? 0) !== (instance.scrollOffset ?? 0)) elementScroll(offset, options, instance)
}

const complete = (options: Options): TableOptions => ({ scrollToFn: scrollIfNeeded, ...options })

export const createVirtualizer = (options: Options): TableVirtualizer => new Virtualizer(complete(options))
export const updateVirtualizer = (virtualizer: TableVirtualizer, options: Options): void =>
  virtualizer.setOptions(complete(options))

/**
 * Moves the DOM focus to the focused row after that has got another index: rows are drawn by their index, so an element that
 * had the focus may show another row now. A row that is gone loses the DOM focus, unless another one is focused before the
 * next frame, as after a page turn: a blur costs a layout. Returns the function that cancels that. `reveal` draws the
 * focused row, which takes the DOM focus then.
 */
export function followFocus(
  grid: HTMLElement | null,
  focusedIndex: number,
  reveal: () => void,
): (() => void) | undefined {
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || active.role !== 'row' || !grid?.contains(active)) return undefined
  if (Number(active.dataset.index) === focusedIndex) return undefined
  const row = grid.querySelector<HTMLElement>(`[role=row][data-index="${focusedIndex}"]`)
  if (row) {
    row.focus({ preventScroll: true })
    return undefined
  }
  if (focusedIndex >= 0) {
    reveal()
    return undefined
  }
  const frame = requestAnimationFrame(() => active.blur())
  return () => cancelAnimationFrame(frame)
}
