import { elementScroll, type Rect, type Virtualizer } from '@tanstack/react-virtual'

/**
 * Reports the scroll container's size to a virtualizer after layout. The library's default reads it at once, which forces
 * a layout of the whole page during React's render: about 80 ms of a cold start.
 */
export function observeSize<Item extends Element>(
  { scrollElement }: Virtualizer<HTMLDivElement, Item>,
  onSize: (size: Rect) => void,
): (() => void) | undefined {
  if (!scrollElement) return undefined
  const observer = new ResizeObserver(([entry]) => {
    if (entry) onSize({ width: Math.round(entry.contentRect.width), height: Math.round(entry.contentRect.height) })
  })
  observer.observe(scrollElement)
  return () => observer.disconnect()
}

/** Scrolls unless the offset is already current: each virtualizer does so at its start, which forces a layout. */
export function scrollIfNeeded<Item extends Element>(
  offset: number,
  options: { adjustments?: number; behavior?: ScrollBehavior },
  instance: Virtualizer<HTMLDivElement, Item>,
): void {
  if (offset + (options.adjustments ?? 0) !== (instance.scrollOffset ?? 0)) elementScroll(offset, options, instance)
}
