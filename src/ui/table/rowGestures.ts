/**
 * What a hand does to the rows of a table: drags over some of them with a mouse, or holds one with a finger. Loaded with
 * the first press on a row.
 */
import type { RefObject } from 'react'

export interface Held {
  readonly index: number
  readonly x: number
  readonly y: number
}

/** Of the table as it is now. */
export interface Gestures {
  /** What scrolls, and lies around the rows. */
  readonly scroller: RefObject<HTMLElement | null>
  /** Lies over the rows that a drag has reached; hidden without one. */
  readonly band: RefObject<HTMLElement | null>
  /** Pixels. */
  readonly rowHeight: number
  readonly headHeight: number
  readonly rows: number
  /** The rows from the one where a drag began to the one where it ended. */
  readonly onDragged: (from: number, to: number) => void
  readonly onHeld: (held: Held) => void
}

/** Milliseconds after which a finger that rests on a row asks for its menu; pixels that it may move meanwhile. */
const holdTime = 500
const holdSlack = 10
/** Pixels scrolled in a frame while a drag is past the edge. */
const scrollStep = 14

let stop: (() => void) | undefined

/** Follows what a press may become. A drag is seen by its band alone until it ends: no row renders again. */
export function follow(given: RefObject<Gestures>, press: PointerEvent): void {
  const target = press.target as Element
  const row = target.closest<HTMLElement>('[data-index]')
  const mouse = press.pointerType === 'mouse'
  // A mouse's press on a control in the row is meant for that.
  if (!row || !press.isPrimary || press.button !== 0 || (mouse && target.closest('button, a, input'))) return
  stop?.()
  const held = { index: Number(row.dataset.index), x: press.clientX, y: press.clientY }
  stop = mouse ? drag(given, held.index, held.y) : hold(given, held)
}

/** Follows a drag from a row; it begins once another one is reached. Returns what ends it without a result. */
function drag(given: RefObject<Gestures>, from: number, startY: number): () => void {
  const ended = new AbortController()
  const { signal } = ended
  let y = startY
  let to = from
  let began = false
  let frame = 0

  const reach = () => {
    const { scroller, band, rowHeight, headHeight, rows } = given.current
    if (!scroller.current) return
    const box = scroller.current.getBoundingClientRect()
    if (began && y > box.bottom) scroller.current.scrollTop += scrollStep
    if (began && y < box.top + headHeight) scroller.current.scrollTop -= scrollStep
    const within = Math.max(box.top + headHeight, Math.min(y, box.bottom - 1))
    const at = Math.floor((within - box.top - headHeight + scroller.current.scrollTop) / rowHeight)
    to = Math.max(0, Math.min(at, rows - 1))
    if (to !== from && !began) {
      began = true
      // While rows are marked, text is not; what was until here is let go.
      scroller.current.style.userSelect = 'none'
      getSelection()?.removeAllRanges()
    }
    if (began && band.current) {
      band.current.hidden = false
      band.current.style.top = `${Math.min(from, to) * rowHeight}px`
      band.current.style.height = `${(Math.abs(to - from) + 1) * rowHeight}px`
    }
    // Past the edge it goes on although the pointer rests.
    if (began) frame = requestAnimationFrame(reach)
  }
  const end = () => {
    cancelAnimationFrame(frame)
    ended.abort()
    const { band, scroller } = given.current
    if (band.current) band.current.hidden = true
    if (scroller.current) scroller.current.style.userSelect = ''
  }
  window.addEventListener(
    'pointermove',
    move => {
      y = move.clientY
      if (!began) reach()
    },
    { signal },
  )
  window.addEventListener(
    'pointerup',
    () => {
      end()
      if (began) given.current.onDragged(from, to)
    },
    { signal },
  )
  window.addEventListener('pointercancel', end, { signal })
  window.addEventListener('blur', end, { signal })
  window.addEventListener(
    'keydown',
    event => {
      if (!began || event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      end()
    },
    { signal, capture: true },
  )
  return end
}

/** Waits for a finger to rest. A scroll, which ends the pointer, or a lift before that is no hold. */
function hold(given: RefObject<Gestures>, held: Held): () => void {
  const ended = new AbortController()
  const { signal } = ended
  let waiting: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(waiting)
    ended.abort()
  }
  waiting = setTimeout(() => {
    end()
    ignoreLift()
    given.current.onHeld(held)
  }, holdTime)
  window.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      if (Math.hypot(clientX - held.x, clientY - held.y) > holdSlack) end()
    },
    { signal },
  )
  window.addEventListener('pointerup', end, { signal })
  window.addEventListener('pointercancel', end, { signal })
  // Where the browser itself tells of a finger that rests, that opens the menu, and once is enough.
  window.addEventListener(
    'contextmenu',
    () => {
      end()
      ignoreLift()
    },
    { signal, capture: true },
  )
  return end
}

/** The finger that opened something by resting does nothing more when it lifts: it would close it, or press what is in it. */
function ignoreLift(): void {
  const lifted = new AbortController()
  const ignore = (event: Event) => {
    // A script's click opens the menu.
    if (!event.isTrusted) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const how = { capture: true, passive: false, signal: lifted.signal }
  for (const kind of ['contextmenu', 'touchend', 'mousedown', 'mouseup', 'click'])
    window.addEventListener(kind, ignore, how)
  const end = () => lifted.abort()
  const over = () => setTimeout(end, 50)
  for (const kind of ['pointerup', 'pointercancel'])
    window.addEventListener(kind, over, { capture: true, once: true, signal: lifted.signal })
  // The next press is meant, and on a busy page it comes before the time is over. What follows a lift begins with none.
  window.addEventListener('pointerdown', press => press.isPrimary && end(), { capture: true, signal: lifted.signal })
}
