import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { notificationsView, type ShownNotification } from '../../store/notificationsView.ts'
import { dayHeight, isHealthNotice } from './NotificationRow.tsx'

/** Pixels from the top within which the list counts as scrolled to the top. */
const nearTop = 4

/**
 * Keeps the visible notifications in place while new ones are added above them or rows above are measured, and counts the
 * new ones. `rows` are the shown lines, `all` includes the lines in folded runs. `arrived`: the number of notifications that
 * were added at the top since the list was shown, without lines of health, which load later.
 */
export function useScrollAnchor(
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  { rows, all }: { rows: readonly ShownNotification[]; all: readonly ShownNotification[] },
  isFirst: (index: number) => boolean,
): { atTop: boolean; arrived: number } {
  'use no memo'
  const [atTop, setAtTop] = useState(true)
  const [arrived, setArrived] = useState(0)
  /** The first visible notification, and the pixels by which its text is scrolled out of view; undefined at the top. */
  const anchor = useRef<{ readonly id: string; readonly out: number }>(undefined)
  /** The scroll position when `held` was recorded. */
  const recordedTop = useRef(0)
  const newest = useRef(all.find(line => !isHealthNotice(line))?._id)
  /** The newest notification when the top was last visible. */
  const lastTop = useRef(all[0]?._id)

  const indexOf = (id: string | undefined) => rows.findIndex(({ _id }) => _id === id)
  const textOf = (index: number) =>
    (virtualizer.measurementsCache[index]?.start ?? 0) + (isFirst(index) ? dayHeight : 0)

  /** Records the first visible notification. */
  const record = (scrolled: number) => {
    const top = scrolled <= nearTop
    setAtTop(top)
    if (top) lastTop.current = all[0]?._id
    const index = top ? undefined : virtualizer.getVirtualItemForOffset(scrolled)?.index
    const row = index === undefined ? undefined : rows[index]
    recordedTop.current = scrolled
    anchor.current = row && index !== undefined ? { id: row._id, out: scrolled - textOf(index) } : undefined
  }

  /** Records a new position after scrolling by the person; otherwise restores the recorded one. */
  const restore = () => {
    const element = scroller.current
    if (!element) return
    const index = indexOf(anchor.current?.id)
    if (index < 0 || hasScrolled(element)) record(element.scrollTop)
    else {
      const to = textOf(index) + (anchor.current?.out ?? 0)
      if (Math.abs(element.scrollTop - to) > 0.5) element.scrollTop = to
      recordedTop.current = element.scrollTop
    }
    const fresh = Math.max(
      0,
      all.findIndex(({ _id }) => _id === lastTop.current),
    )
    if (notificationsView.newAbove !== fresh) notificationsView.newAbove = fresh
  }
  const hasScrolled = (element: HTMLElement) => Math.abs(element.scrollTop - recordedTop.current) > 0.5

  // The library's own adjustment uses an outdated position when many rows arrive at once.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false
  const now = useRef(restore)
  useLayoutEffect(() => {
    now.current = restore
    restore()
  })
  useLayoutEffect(() => {
    const notifications = all.filter(line => !isHealthNotice(line))
    const fresh = notifications.findIndex(({ _id }) => _id === newest.current)
    if (fresh > 0) setArrived(before => before + fresh)
    newest.current = notifications[0]?._id
  }, [all])
  useEffect(() => {
    const element = scroller.current
    const scrolled = () => now.current()
    element?.addEventListener('scroll', scrolled, { passive: true })
    return () => element?.removeEventListener('scroll', scrolled)
  }, [scroller])
  return { atTop, arrived }
}
