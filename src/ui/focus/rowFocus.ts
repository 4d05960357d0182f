/** DOM focus of list rows that are navigated by keys. */
import { useCallback, useLayoutEffect, useRef, type RefCallback, type RefObject } from 'react'

/**
 * Moves the DOM focus to a row once for each keyboard move to it. `grab`: the number of the move, 0 if the row is not its
 * target. `granted`: the last move that was handled, shared by the list's rows. With `scrolls` the browser scrolls the
 * row into view; virtualized lists do that themselves.
 */
export function useRowFocus<Row extends HTMLElement>(
  grab: number,
  granted: { current: number },
  scrolls = false,
): RefObject<Row | null> {
  const element = useRef<Row>(null)
  useLayoutEffect(() => {
    if (grab === 0 || grab === granted.current) return
    granted.current = grab
    element.current?.focus({ preventScroll: !scrolls })
  }, [grab, granted, scrolls])
  return element
}

/** Returns a ref that sets another ref and measures the element. */
export function useMeasuredRef<Row extends HTMLElement>(
  element: RefObject<Row | null>,
  measure: (element: Row | null) => void,
): RefCallback<Row> {
  return useCallback(
    (node: Row | null) => {
      element.current = node
      measure(node)
    },
    [element, measure],
  )
}
