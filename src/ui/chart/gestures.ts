/**
 * Pointer gestures on a plot. A mouse that moves shows the values at its position, and one that drags marks a range. One
 * finger shows the values, two fingers mark the range between them, and a finger that moves up or down scrolls the page.
 */

/** What is called for each gesture. `left` and `top` are pixels from the plot's left and top edge, as are ends of ranges. */
export interface PlotGestureHandlers {
  /** The pointer has moved to a position; undefined: it has left the plot. */
  onMove(left: number | undefined): void
  /** The range being marked has changed: its ends, in any order; undefined: marking has ended. */
  onRangeChange(ends: readonly [number, number] | undefined): void
  /** A range was marked; `from` is left of `to`. */
  onRangeMarked(from: number, to: number): void
  onClick(left: number, top: number): void
  onDoubleClick(): void
}

/** A drag over fewer pixels is a click. */
const minDragDistance = 6

/** Calls the handlers for gestures on an element. Returns a function that stops this. */
export function trackGestures(element: HTMLElement, handlers: PlotGestureHandlers): () => void {
  /** The pressed pointers by id: where each was pressed, and where it is now. */
  const pressed = new Map<number, { from: number; at: number }>()
  const positionOf = (event: PointerEvent | MouseEvent) => {
    const { left, top } = element.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  /** Returns the ends of the range: two fingers, or where the only pointer was pressed and where it is. */
  const ends = (): readonly [number, number] | undefined => {
    const [one, other] = [...pressed.values()]
    if (!one) return undefined
    return other ? [one.at, other.at] : [one.from, one.at]
  }
  const isMarking = (event: PointerEvent) => pressed.size > 0 && (event.pointerType !== 'touch' || pressed.size === 2)

  const listeners = {
    pointerdown(event: PointerEvent) {
      if (event.button !== 0) return
      const { x } = positionOf(event)
      pressed.set(event.pointerId, { from: x, at: x })
      element.setPointerCapture(event.pointerId)
      handlers.onMove(x)
    },
    pointermove(event: PointerEvent) {
      const { x } = positionOf(event)
      const pointer = pressed.get(event.pointerId)
      if (pointer) pointer.at = x
      const marked = isMarking(event) ? ends() : undefined
      if (marked && Math.abs(marked[1] - marked[0]) >= minDragDistance) handlers.onRangeChange(marked)
      handlers.onMove(x)
    },
    pointerup(event: PointerEvent) {
      const pointer = pressed.get(event.pointerId)
      if (!pointer) return
      const { x, y } = positionOf(event)
      const marked = isMarking(event) ? ends() : undefined
      // Lifting one of two fingers ends the gesture of both.
      pressed.clear()
      handlers.onRangeChange(undefined)
      const [from, to] = marked ? [Math.min(...marked), Math.max(...marked)] : [x, x]
      if (to - from >= minDragDistance) handlers.onRangeMarked(from, to)
      else if (Math.abs(x - pointer.from) < minDragDistance) handlers.onClick(x, y)
    },
    pointercancel() {
      pressed.clear()
      handlers.onRangeChange(undefined)
    },
    pointerleave(event: PointerEvent) {
      // Lifting a finger fires `pointerleave` too, but the values that it showed stay.
      if (event.pointerType !== 'touch' && pressed.size === 0) handlers.onMove(undefined)
    },
    dblclick() {
      handlers.onDoubleClick()
    },
  }
  const all = Object.entries(listeners) as [string, (event: Event) => void][]
  for (const [type, listener] of all) element.addEventListener(type, listener)
  return () => {
    for (const [type, listener] of all) element.removeEventListener(type, listener)
  }
}
