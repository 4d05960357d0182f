/** A virtualized list whose rows are focused by keys. */
import { defaultRangeExtractor, useVirtualizer, type Range, type Virtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { mainSize } from '../../store/layout.ts'
import { observeSize } from '../../ui/table/scroller.ts'
import { scrollIfNeeded } from '../../ui/table/virtualizer.ts'

interface Options {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly count: number
  /** The height in pixels that is assumed until a row is measured. */
  readonly estimatedHeight: number
  /** Stable as long as the rows are the same. */
  readonly keyOf: (index: number) => string | number
  /** -1 for none. */
  readonly focusedIndex: number
  /** The number of moves by keys: after each one, the focused row is scrolled into view. */
  readonly moves: number
}

/** Returns the virtualizer of a list, which keeps the focused row in view and rendered. */
export function useVirtualRows(options: Options): Virtualizer<HTMLDivElement, Element> {
  'use no memo'
  const { scroller, count, estimatedHeight, keyOf, focusedIndex, moves } = options
  const [expectedSize] = useState(mainSize)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedHeight,
    getItemKey: keyOf,
    overscan: 8,
    // The focused row stays rendered when scrolled out of view, so that the DOM focus is not lost.
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      return focusedIndex < 0 || focusedIndex >= count || indexes.includes(focusedIndex)
        ? indexes
        : [...indexes, focusedIndex].toSorted((a, b) => a - b)
    },
    initialRect: expectedSize,
    observeElementRect: observeSize,
    scrollToFn: scrollIfNeeded,
  })
  const scrolledMove = useRef(0)
  useLayoutEffect(() => {
    if (focusedIndex < 0 || scrolledMove.current === moves) return
    scrolledMove.current = moves
    virtualizer.scrollToIndex(focusedIndex, { align: 'auto' })
  }, [focusedIndex, moves, virtualizer])
  return virtualizer
}
