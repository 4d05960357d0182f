/**
 * Hands on a plot. A mouse reads by moving and marks a stretch by dragging; one finger reads, two mark what lies between
 * them, and the page still scrolls under a finger that moves up or down.
 */

/** Pixels from the plot's left, of where it is read or of both ends of what is marked. */
export interface PlotHands {
  read(pixel: number | undefined): void
  /** While marking. */
  mark(ends: readonly [number, number] | undefined): void
  marked(from: number, to: number): void
  press(pixel: number, top: number): void
  reset(): void
}

/** Pixels: less is a click that trembled. */
const minMarked = 6

/** Listens on an element; returns how to stop. */
export function followPointers(element: HTMLElement, hands: PlotHands): () => void {
  const down = new Map<number, { from: number; at: number }>()
  const place = (event: PointerEvent | MouseEvent) => {
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
      const { x } = place(event)
      down.set(event.pointerId, { from: x, at: x })
      element.setPointerCapture(event.pointerId)
      hands.read(x)
    },
    pointermove(event: PointerEvent) {
      const { x } = place(event)
      const held = down.get(event.pointerId)
      if (held) held.at = x
      const marked = marking(event) ? ends() : undefined
      if (marked && Math.abs(marked[1] - marked[0]) >= minMarked) hands.mark(marked)
      hands.read(x)
    },
    pointerup(event: PointerEvent) {
      const held = down.get(event.pointerId)
      if (!held) return
      const { x, y } = place(event)
      const marked = marking(event) ? ends() : undefined
      // With one of two fingers gone the other marks nothing more.
      down.clear()
      hands.mark(undefined)
      const [from, to] = marked ? [Math.min(...marked), Math.max(...marked)] : [x, x]
      if (to - from >= minMarked) hands.marked(from, to)
      else if (Math.abs(x - held.from) < minMarked) hands.press(x, y)
    },
    pointercancel() {
      down.clear()
      hands.mark(undefined)
    },
    pointerleave(event: PointerEvent) {
      // A finger that is lifted leaves too; what it read stays.
      if (event.pointerType !== 'touch' && down.size === 0) hands.read(undefined)
    },
    dblclick() {
      hands.reset()
    },
  }
  const all = Object.entries(listeners) as [string, (event: Event) => void][]
  for (const [type, listener] of all) element.addEventListener(type, listener)
  return () => {
    for (const [type, listener] of all) element.removeEventListener(type, listener)
  }
}
