/** The virtualizers of a table. Loaded after the first rows, which are drawn without them. */
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
