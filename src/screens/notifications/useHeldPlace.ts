import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { Notification } from '../../api/contract/notifications.ts'
import { notices } from '../../store/notices.ts'
import { dayHeight } from './NotificationRow.tsx'

/** Pixels within which one is at the top, where new ones appear. */
const nearTop = 4

/**
 * Holds what is being read where it is while new ones come on top of it, or what is above it turns out to be higher than
 * was thought; counts the new ones. `arrived` is how many the last change of the list has brought on top.
 */
export function useHeldPlace(
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  rows: readonly Notification[],
  isFirst: (index: number) => boolean,
): { atTop: boolean; arrived: number } {
  'use no memo'
  const [atTop, setAtTop] = useState(true)
  const [arrived, setArrived] = useState(0)
  /** The first one in sight, and how far its text is scrolled out of it; nothing at the top. */
  const held = useRef<{ readonly id: string; readonly out: number }>(undefined)
  /** How far it was scrolled when that was noted. */
  const known = useRef(0)
  const newest = useRef(rows[0]?._id)
  /** The newest that was there when the top was in sight last. */
  const lastTop = useRef(rows[0]?._id)

  const place = (id: string | undefined) => rows.findIndex(({ _id }) => _id === id)
  const textOf = (index: number) =>
    (virtualizer.measurementsCache[index]?.start ?? 0) + (isFirst(index) ? dayHeight : 0)

  /** Notes what is in sight. */
  const note = (scrolled: number) => {
    const top = scrolled <= nearTop
    setAtTop(top)
    if (top) lastTop.current = rows[0]?._id
    const index = top ? undefined : virtualizer.getVirtualItemForOffset(scrolled)?.index
    const row = index === undefined ? undefined : rows[index]
    known.current = scrolled
    held.current = row && index !== undefined ? { id: row._id, out: scrolled - textOf(index) } : undefined
  }

  /** Whoever has scrolled goes on from there; otherwise what was in sight is put back to where it was. */
  const hold = () => {
    const element = scroller.current
    if (!element) return
    const at = place(held.current?.id)
    if (at < 0 || hasScrolled(element)) note(element.scrollTop)
    else {
      const to = textOf(at) + (held.current?.out ?? 0)
      if (Math.abs(element.scrollTop - to) > 0.5) element.scrollTop = to
      known.current = element.scrollTop
    }
    const fresh = Math.max(0, place(lastTop.current))
    if (notices.fresh !== fresh) notices.fresh = fresh
  }
  const hasScrolled = (element: HTMLElement) => Math.abs(element.scrollTop - known.current) > 0.5

  // It would hold what it takes to be in sight, which it hears of too late where many have come.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false
  const now = useRef(hold)
  useLayoutEffect(() => {
    now.current = hold
    hold()
  })
  useLayoutEffect(() => {
    setArrived(
      Math.max(
        0,
        rows.findIndex(({ _id }) => _id === newest.current),
      ),
    )
    newest.current = rows[0]?._id
  }, [rows])
  useEffect(() => {
    const element = scroller.current
    const scrolled = () => now.current()
    element?.addEventListener('scroll', scrolled, { passive: true })
    return () => element?.removeEventListener('scroll', scrolled)
  }, [scroller])
  return { atTop, arrived }
}
