/**
 * Gestures on table rows: selecting by dragging with the mouse, and long press. Loaded with the first press on a row.
 */
import type { RefObject } from 'react'

/** The row of a long press, and the position of the finger in pixels. */
export interface LongPress {
  readonly index: number
  readonly x: number
  readonly y: number
}

/** The table's current state and handlers. */
export interface Gestures {
  /** The scroll container. */
  readonly scroller: RefObject<HTMLElement | null>
  /** The element drawn over the dragged rows; hidden when there is no drag. */
  readonly band: RefObject<HTMLElement | null>
  /** Pixels. */
  readonly rowHeight: number
  readonly headHeight: number
  readonly rows: number
  /** Called with the first and last row of a drag. */
  readonly onDragged: (from: number, to: number) => void
  readonly onLongPress: (press: LongPress) => void
}

/** Milliseconds of a long press, and the pixels that the finger may move during it. */
const longPressTime = 500
const longPressTolerance = 10
/** Pixels scrolled per frame while dragging beyond the edge. */
const scrollStep = 14

let stop: (() => void) | undefined

/** Tracks a press that may become a drag or a long press. During a drag only the band changes; no row renders. */
export function trackPress(gestures: RefObject<Gestures>, press: PointerEvent): void {
  const target = press.target as Element
  const row = target.closest<HTMLElement>('[data-index]')
  const mouse = press.pointerType === 'mouse'
  // A mouse press on a control in the row belongs to the control.
  if (!row || !press.isPrimary || press.button !== 0 || (mouse && target.closest('button, a, input'))) return
  stop?.()
  const start = { index: Number(row.dataset.index), x: press.clientX, y: press.clientY }
  stop = mouse ? trackDrag(gestures, start.index, start.y) : trackLongPress(gestures, start)
}

/** Tracks a drag, which starts once another row is reached. Returns a function that cancels it. */
function trackDrag(gestures: RefObject<Gestures>, from: number, startY: number): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  let y = startY
  let to = from
  let started = false
  let frame = 0

  const reach = () => {
    const { scroller, band, rowHeight, headHeight, rows } = gestures.current
    if (!scroller.current) return
    const box = scroller.current.getBoundingClientRect()
    if (started && y > box.bottom) scroller.current.scrollTop += scrollStep
    if (started && y < box.top + headHeight) scroller.current.scrollTop -= scrollStep
    const within = Math.max(box.top + headHeight, Math.min(y, box.bottom - 1))
    const index = Math.floor((within - box.top - headHeight + scroller.current.scrollTop) / rowHeight)
    to = Math.max(0, Math.min(index, rows - 1))
    if (to !== from && !started) {
      started = true
      // Dragging over rows must not select text; clear the text selected so far.
      scroller.current.style.userSelect = 'none'
      getSelection()?.removeAllRanges()
    }
    if (started && band.current) {
      band.current.hidden = false
      band.current.style.top = `${Math.min(from, to) * rowHeight}px`
      band.current.style.height = `${(Math.abs(to - from) + 1) * rowHeight}px`
    }
    // Keeps scrolling beyond the edge while the pointer rests.
    if (started) frame = requestAnimationFrame(reach)
  }
  const end = () => {
    cancelAnimationFrame(frame)
    listeners.abort()
    const { band, scroller } = gestures.current
    if (band.current) band.current.hidden = true
    if (scroller.current) scroller.current.style.userSelect = ''
  }
  window.addEventListener(
    'pointermove',
    move => {
      y = move.clientY
      if (!started) reach()
    },
    { signal },
  )
  window.addEventListener(
    'pointerup',
    () => {
      end()
      if (started) gestures.current.onDragged(from, to)
    },
    { signal },
  )
  window.addEventListener('pointercancel', end, { signal })
  window.addEventListener('blur', end, { signal })
  window.addEventListener(
    'keydown',
    event => {
      if (!started || event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      end()
    },
    { signal, capture: true },
  )
  return end
}

/**
 * Waits for a long press. Scrolling, which cancels the pointer, or lifting the finger earlier ends it. Returns a
 * function that cancels it.
 */
function trackLongPress(gestures: RefObject<Gestures>, press: LongPress): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(timer)
    listeners.abort()
  }
  timer = setTimeout(() => {
    end()
    suppressRelease()
    gestures.current.onLongPress(press)
  }, longPressTime)
  window.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      if (Math.hypot(clientX - press.x, clientY - press.y) > longPressTolerance) end()
    },
    { signal },
  )
  window.addEventListener('pointerup', end, { signal })
  window.addEventListener('pointercancel', end, { signal })
  // Some browsers fire `contextmenu` for a long press, which opens the menu already.
  window.addEventListener(
    'contextmenu',
    () => {
      end()
      suppressRelease()
    },
    { signal, capture: true },
  )
  return end
}

/** Suppresses the events of lifting the finger after a long press, which would close the menu or press an entry. */
function suppressRelease(): void {
  const lifted = new AbortController()
  const ignore = (event: Event) => {
    // Scripted clicks are not part of the release.
    if (!event.isTrusted) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const options = { capture: true, passive: false, signal: lifted.signal }
  for (const kind of ['contextmenu', 'touchend', 'mousedown', 'mouseup', 'click'])
    window.addEventListener(kind, ignore, options)
  const end = () => lifted.abort()
  const over = () => setTimeout(end, 50)
  for (const kind of ['pointerup', 'pointercancel'])
    window.addEventListener(kind, over, { capture: true, once: true, signal: lifted.signal })
  // A new press ends the suppression, as on a busy page it can come before the timeout. A release fires no `pointerdown`.
  window.addEventListener('pointerdown', press => press.isPrimary && end(), { capture: true, signal: lifted.signal })
}
