import { useRef, type PointerEvent } from 'react'

/** Pixels that an element must be dragged sideways to be dismissed. */
const dismissDistance = 90

/**
 * Returns pointer handlers that drag an element sideways and call `onDismiss` past `dismissDistance`. `onHold` is
 * called with true when a drag starts, and with false when it ends.
 */
export function useSwipeToDismiss(onDismiss: () => void, onHold: (isDragging: boolean) => void) {
  const start = useRef<number | undefined>(undefined)
  const moveTo = (element: HTMLElement, by: number) => {
    element.style.transform = by === 0 ? '' : `translateX(${by}px)`
    element.style.opacity = by === 0 ? '' : String(Math.max(0.2, 1 - Math.abs(by) / 300))
  }
  const end = (event: PointerEvent<HTMLElement>) => {
    if (start.current === undefined) return
    const by = event.clientX - start.current
    start.current = undefined
    onHold(false)
    if (Math.abs(by) >= dismissDistance) onDismiss()
    else moveTo(event.currentTarget, 0)
  }
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if ((event.target as Element).closest('button, a')) return
      start.current = event.clientX
      event.currentTarget.setPointerCapture(event.pointerId)
      onHold(true)
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (start.current !== undefined) moveTo(event.currentTarget, event.clientX - start.current)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
