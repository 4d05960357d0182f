import { elementScroll, type Rect, type Virtualizer } from '@tanstack/react-virtual'

/**
 * Tells a virtualizer the size of its scroller once the browser has laid it out. The library's own way asks at once,
 * which makes the browser lay out the whole page in the middle of React's work: some 80 ms of a cold start.
 */
export function observeSize<Item extends Element>(
  { scrollElement }: Virtualizer<HTMLDivElement, Item>,
  told: (size: Rect) => void,
): (() => void) | undefined {
  if (!scrollElement) return undefined
  const observer = new ResizeObserver(([entry]) => {
    if (entry) told({ width: Math.round(entry.contentRect.width), height: Math.round(entry.contentRect.height) })
  })
  observer.observe(scrollElement)
  return () => observer.disconnect()
}

/** Scrolls, but not to where it is already: even that would lay out the page, as every virtualizer does at its start. */
export function scrollWhereNeeded<Item extends Element>(
  offset: number,
  options: { adjustments?: number; behavior?: ScrollBehavior },
  instance: Virtualizer<HTMLDivElement, Item>,
): void {
  if (offset + (options.adjustments ?? 0) !== (instance.scrollOffset ?? 0)) elementScroll(offset, options, instance)
}
