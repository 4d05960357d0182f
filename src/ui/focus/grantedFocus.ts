/** Rows of lists whose focus is moved by keys. */
import { useCallback, useLayoutEffect, useRef, type RefCallback, type RefObject } from 'react'

/**
 * Gives a row the browser's focus once for each move of keys that brought it there. `grab` counts the moves, 0 where none
 * did; `granted` is the move whose focus was given last, shared by all rows of the list. Only with `scrolls` the browser
 * brings the row into sight; where rows are drawn as they are needed, the list does that itself.
 */
export function useGrantedFocus<Row extends HTMLElement>(
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

/** A ref that fills another and has the element measured too. */
export function useMeasured<Row extends HTMLElement>(
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
