/** Gestures on a table's header with the mouse: dragging the edge of a column, and dragging a column to its place. */
import type { RefObject } from 'react'
import { ignoreClick, trackPointer } from '../trackPointer.ts'
import { clampWidth, trackVariables, type SizedColumn, type WidthLimits } from './tracks.ts'

/** The table's current state and handlers. */
export interface HeadGestures {
  /** The scroll container, which has the variables of the tracks. */
  readonly scroller: RefObject<HTMLElement | null>
  /** The element drawn where a dragged column would go; hidden when there is no drag. */
  readonly dropLine: RefObject<HTMLElement | null>
  readonly columns: readonly SizedColumn[]
  /** The number of columns that do not scroll sideways. */
  readonly sticky: number
  readonly limits: WidthLimits
  readonly onWidth: (column: string, width: number) => void
  /** Called after dragging a column before another one, or to the end if that is undefined. */
  readonly onMove: (column: string, before: string | undefined) => void
}

/** While a column is dragged within this distance of the table's edge, the table scrolls by this many pixels a frame. */
const edge = 36
const scrollStep = 12

/** Tracks a press on the header that may become a drag. Until it ends, no row renders. */
export function trackHeadPress(gestures: RefObject<HeadGestures>, press: PointerEvent): void {
  const target = press.target as Element
  const head = target.closest<HTMLElement>('[role=columnheader][data-column]')
  if (!head || press.pointerType !== 'mouse' || press.button !== 0) return
  if (target.closest('[role=separator]')) trackResize(gestures, head, press)
  else if (head.dataset.movable !== undefined) trackMove(gestures, head, press)
}

function trackResize(gestures: RefObject<HeadGestures>, head: HTMLElement, press: PointerEvent): void {
  const { scroller, columns, sticky, limits } = gestures.current
  const column = head.dataset.column!
  const startWidth = head.offsetWidth
  let width: number | undefined
  const show = (shown: readonly SizedColumn[]) => {
    for (const [name, value] of Object.entries(trackVariables(shown, sticky)))
      scroller.current?.style.setProperty(name, value)
  }
  // Dragging must not select text.
  press.preventDefault()
  trackPointer(press, {
    move({ x }) {
      width = clampWidth(startWidth + x - press.clientX, limits)
      const resized = { id: column, width, fixed: true }
      show(columns.map(one => (one.id === column ? resized : one)))
    },
    end(isCancelled) {
      if (isCancelled) show(columns)
      else if (width !== undefined) gestures.current.onWidth(column, width)
    },
  })
}

function trackMove(gestures: RefObject<HeadGestures>, head: HTMLElement, press: PointerEvent): void {
  const column = head.dataset.column!
  const { scroller, dropLine } = gestures.current
  let x = press.clientX
  let frame = 0
  let before: string | undefined
  let isMoved = false
  let hasLeft = false
  const follow = () => {
    if (!scroller.current || !dropLine.current) return
    const table = scroller.current.getBoundingClientRect()
    if (x > table.right - edge) scroller.current.scrollLeft += scrollStep
    if (x < table.left + edge) scroller.current.scrollLeft -= scrollStep
    const heads = [...scroller.current.querySelectorAll<HTMLElement>('[data-movable]')]
    const next = heads.find(one => x < centreOf(one))
    before = next?.dataset.column
    // At its place, the next head is the column's own or the one after it.
    isMoved = next !== head && next !== heads[heads.indexOf(head) + 1]
    hasLeft ||= isMoved
    const left = next ? next.getBoundingClientRect().left : (heads.at(-1)?.getBoundingClientRect().right ?? x)
    const { style } = dropLine.current
    dropLine.current.hidden = false
    style.left = `${Math.max(table.left, Math.min(left, table.right)) - 1}px`
    style.top = `${table.top}px`
    style.height = `${scroller.current.clientHeight}px`
    frame = requestAnimationFrame(follow)
  }
  trackPointer(press, {
    move(pointer) {
      ;({ x } = pointer)
      if (frame !== 0) return
      head.style.opacity = '0.5'
      follow()
    },
    end(isCancelled) {
      cancelAnimationFrame(frame)
      if (dropLine.current) dropLine.current.hidden = true
      head.style.opacity = ''
      // What never left its place was a click.
      if (hasLeft || isCancelled) ignoreClick()
      if (!isCancelled && isMoved) gestures.current.onMove(column, before)
    },
  })
}

const centreOf = (element: HTMLElement): number => {
  const { left, width } = element.getBoundingClientRect()
  return left + width / 2
}
