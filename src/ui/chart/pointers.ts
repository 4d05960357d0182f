/**
 * Pointer gestures on a plot. A mouse reads by moving and marks a range by dragging. One finger reads, two fingers mark
 * the range between them, and moving a finger up or down still scrolls the page.
 */

/** Gesture handlers; positions are pixels from the plot's left. */
export interface PlotPointerHandlers {
  read(pixel: number | undefined): void
  /** Called while a range is being marked, and with undefined when marking ends. */
  mark(ends: readonly [number, number] | undefined): void
  marked(from: number, to: number): void
  press(pixel: number, top: number): void
  reset(): void
}

/** Pixels; a shorter drag counts as a click. */
const minDragDistance = 6

/** Tracks pointers on an element. Returns a function that stops. */
export function trackPointers(element: HTMLElement, handlers: PlotPointerHandlers): () => void {
  const down = new Map<number, { from: number; at: number }>()
  const positionOf = (event: PointerEvent | MouseEvent) => {
    const { left, top } = element.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const ends = (): readonly [number, number] | undefined => {
    const [one, other] = [...down.values()]
    if (!one) return undefined
    return other ? [one.at, other.at] : [one.from, one.at]
  }
  const marking = (event: PointerEvent) => down.size > 0 && (event.pointerType !== 'touch' || down.size === 2)

  const listeners = {
    pointerdown(event: PointerEvent) {
      if (event.button !== 0) return
      const { x } = positionOf(event)
      down.set(event.pointerId, { from: x, at: x })
      element.setPointerCapture(event.pointerId)
      handlers.read(x)
    },
    pointermove(event: PointerEvent) {
      const { x } = positionOf(event)
      const pointer = down.get(event.pointerId)
      if (pointer) pointer.at = x
      const marked = marking(event) ? ends() : undefined
      if (marked && Math.abs(marked[1] - marked[0]) >= minDragDistance) handlers.mark(marked)
      handlers.read(x)
    },
    pointerup(event: PointerEvent) {
      const pointer = down.get(event.pointerId)
      if (!pointer) return
      const { x, y } = positionOf(event)
      const marked = marking(event) ? ends() : undefined
      // Lifting one of two fingers ends the gesture of both.
      down.clear()
      handlers.mark(undefined)
      const [from, to] = marked ? [Math.min(...marked), Math.max(...marked)] : [x, x]
      if (to - from >= minDragDistance) handlers.marked(from, to)
      else if (Math.abs(x - pointer.from) < minDragDistance) handlers.press(x, y)
    },
    pointercancel() {
      down.clear()
      handlers.mark(undefined)
    },
    pointerleave(event: PointerEvent) {
      // Lifting a finger fires `pointerleave` too, but its reading stays.
      if (event.pointerType !== 'touch' && down.size === 0) handlers.read(undefined)
    },
    dblclick() {
      handlers.reset()
    },
  }
  const all = Object.entries(listeners) as [string, (event: Event) => void][]
  for (const [type, listener] of all) element.addEventListener(type, listener)
  return () => {
    for (const [type, listener] of all) element.removeEventListener(type, listener)
  }
}
