import type { Rect, Virtualizer } from '@tanstack/react-virtual'
import { flushSync } from 'react-dom'

/**
 * Reports a scroll container's size after layout. The library's default for virtualizers reads it at once, which forces a
 * layout of the whole page during React's render: about 80 ms of a cold start.
 */
export function observeSize(
  { scrollElement }: { readonly scrollElement: Element | null },
  onSize: (size: Rect) => void,
): (() => void) | undefined {
  if (!scrollElement) return undefined
  const observer = new ResizeObserver(([entry]) => {
    if (entry) onSize({ width: Math.round(entry.contentRect.width), height: Math.round(entry.contentRect.height) })
  })
  observer.observe(scrollElement)
  return () => observer.disconnect()
}

type Observe = <Item extends Element>(
  instance: Virtualizer<HTMLDivElement, Item>,
  onOffset: (offset: number, isScrolling: boolean) => void,
) => (() => void) | undefined

/**
 * Returns a function that reports a scroll container's offsets, in pixels, to several virtualizers. All of them read the
 * offsets before React renders, once for all. The library's default renders for each one, so that the next one's reading
 * forces style and layout.
 */
export function shareScrollEvents(): Observe {
  const readers = new Set<() => void>()
  const read = () =>
    flushSync(() => {
      for (const reader of readers) reader()
    })
  return (instance, onOffset) => {
    const { scrollElement } = instance
    if (!scrollElement) return undefined
    const reader = () =>
      onOffset(instance.options.horizontal ? scrollElement.scrollLeft : scrollElement.scrollTop, true)
    readers.add(reader)
    scrollElement.addEventListener('scroll', read, { passive: true })
    return () => {
      readers.delete(reader)
      if (readers.size === 0) scrollElement.removeEventListener('scroll', read)
    }
  }
}
