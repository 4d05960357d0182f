/** DOM focus of list rows that are navigated by keys. */
import { useCallback, useLayoutEffect, useRef, type RefCallback, type RefObject } from 'react'

/**
 * Moves the DOM focus to a row once for each keyboard move to it. `focusMove`: the number of the move, 0 if the row is not its
 * target. `handledMove`: the last move that was handled, shared by the list's rows. With `scrolls` the browser scrolls the
 * row into view; virtualized lists do that themselves.
 */
export function useRowFocus<Row extends HTMLElement>(
  focusMove: number,
  handledMove: { current: number },
  scrolls = false,
): RefObject<Row | null> {
  const element = useRef<Row>(null)
  useLayoutEffect(() => {
    if (focusMove === 0 || focusMove === handledMove.current) return
    handledMove.current = focusMove
    element.current?.focus({ preventScroll: !scrolls })
  }, [focusMove, handledMove, scrolls])
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
