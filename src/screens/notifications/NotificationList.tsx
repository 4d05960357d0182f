import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { pageSize, type FeedState } from '../../api/feedLoader.ts'
import { loadMoreNotifications } from '../../api/notificationFeed.ts'
import { isComplete } from '../../domain/feed.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandKeys } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { dayName } from '../../domain/notifications/days.ts'
import { foldByDay, type IncidentMembers } from '../../domain/notifications/runs.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { mainSize } from '../../store/layout.ts'
import { notificationsView, type ShownNotification } from '../../store/notificationsView.ts'
import { useSelection } from '../../store/selection.ts'
import { useFocusAfterRemoval } from '../../ui/focus/focusAfterRemoval.ts'
import { observeSize } from '../../ui/table/scroller.ts'
import { scrollIfNeeded } from '../../ui/table/virtualizer.ts'
import { useNow } from '../../ui/useNow.ts'
import { MoreNotifications } from './MoreNotifications.tsx'
import { dayHeight, DayHeading, NotificationRow } from './NotificationRow.tsx'
import { useScrollAnchor } from './useScrollAnchor.ts'
import { useIncidentReloads } from './useIncidentReloads.ts'
import { useMarkSeen } from './useMarkSeen.ts'
import { formatNumber } from '../../domain/format.ts'

/** The height in pixels that is assumed until a row is measured. */
const estimatedHeight = 61

/** The most notifications that are loaded without being asked for. */
const maxAutomatic = 120

const nothing: readonly ShownNotification[] = []

interface Props {
  state: FeedState<ShownNotification>
  /** Whether a filter is active. */
  filtered: boolean
}

/** Notifications by day, newest first, virtualized. New ones appear at the top without moving the visible ones. */
export function NotificationList({ state, filtered }: Props) {
  'use no memo'
  const { rows: all, count = all.length, loading } = state
  const { focused, moves, newAbove, unfolded, members } = useSnapshot(notificationsView)
  const selection = useSelection('devices')
  const now = useNow()
  const zone = systemTimeZone()
  const focusedId = focused?.notification._id
  useIncidentReloads(all, unfolded)
  const { entries, days } = useMemo(
    () => foldByDay(all, zone, unfolded, focusedId, members as IncidentMembers<ShownNotification>),
    [all, zone, unfolded, focusedId, members],
  )
  const rows = useMemo(() => entries.map(({ notification }) => notification), [entries])
  const isFirst = useCallback((index: number) => days[index] !== days[index - 1], [days])
  const scroller = useRef<HTMLDivElement>(null)
  const [expectedSize] = useState(mainSize)
  const focusedIndex = rows.findIndex(({ _id }) => _id === focusedId)

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback((index: number) => estimatedHeight + (isFirst(index) ? dayHeight : 0), [isFirst]),
    // A row with a day's heading has another height, and therefore another key.
    getItemKey: useCallback((index: number) => `${rows[index]?._id}${isFirst(index) ? ' first' : ''}`, [rows, isFirst]),
    overscan: 6,
    scrollPaddingStart: dayHeight,
    // The focused row stays rendered when scrolled out of view, so that the DOM focus is not lost.
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      return focusedIndex < 0 || indexes.includes(focusedIndex)
        ? indexes
        : [...indexes, focusedIndex].sort((a, b) => a - b)
    },
    initialRect: expectedSize,
    observeElementRect: observeSize,
    scrollToFn: scrollIfNeeded,
  })
  const { atTop, arrived } = useScrollAnchor(scroller, virtualizer, { rows, all }, isFirst)
  // The server marks everything up to a time as seen, which would include filtered-out notifications.
  const isUnseen = useMarkSeen(atTop && !filtered ? all : nothing)

  // A folded page shows only a few lines, so further pages are loaded until there are as many as a page has.
  const isSparse = rows.length < pageSize && all.length < maxAutomatic
  useEffect(() => {
    if (!isSparse || loading !== undefined || state.failed || isComplete(state)) return
    // The end of the list shows a failure.
    loadMoreNotifications().catch(() => undefined)
  }, [isSparse, loading, state])

  useFocusAfterRemoval(scroller, 'article', 'notifications-title')

  // Scrolls to the focused notification when returning to the screen and on keyboard moves.
  const handledMove = useRef(moves)
  const scrolledMove = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (focusedIndex < 0 || scrolledMove.current === moves) return
    virtualizer.scrollToIndex(focusedIndex, { align: scrolledMove.current === undefined ? 'center' : 'auto' })
    scrolledMove.current = moves
  }, [focusedIndex, moves, virtualizer])

  const first = virtualizer.getVirtualItemForOffset(virtualizer.scrollOffset ?? 0)
  const placesOf = (line: ShownNotification | undefined) => (line && members[line._id]?.length) ?? 0
  const nameOf = (index: number) => dayName(days[index] ?? 0, now, zone)
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto [overflow-anchor:none]">
      <p role="status" className="sr-only">
        {arrived > 0 && `${arrived} new ${arrived === 1 ? 'notification' : 'notifications'}`}
      </p>
      <div className="sticky top-0 z-20 h-0">
        <div aria-hidden="true">{first && <DayHeading name={nameOf(first.index)} />}</div>
        {newAbove > 0 && (
          <button
            type="button"
            data-command="notification.newest"
            className="btn btn-primary absolute top-[38px] left-1/2 -translate-x-1/2 rounded-full shadow-(--shadow)"
            onClick={() => void run('notification.newest')}
          >
            ↑ {formatNumber(newAbove)} new
            <span className="hidden sm:block">
              <CommandKeys command={commandOf('notification.newest')} />
            </span>
          </button>
        )}
      </div>
      <div
        role="feed"
        data-notifications
        aria-labelledby="notifications-title"
        aria-busy={loading === 'more' || loading === 'start'}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index]
          const row = entry?.notification
          return (
            row && (
              <NotificationRow
                key={row._id}
                notification={row}
                index={index}
                position={(entry.place ?? entry.index) + 1}
                run={entry.run}
                isMember={entry.place !== undefined}
                count={entry.place === undefined ? count : placesOf(all[entry.index])}
                top={start}
                day={isFirst(index) ? nameOf(index) : undefined}
                unseen={isUnseen(row)}
                colour={selection.colourOf(row.device.bssid)}
                focused={index === focusedIndex}
                reachable={index === (focusedIndex < 0 ? 0 : focusedIndex)}
                focusMove={index === focusedIndex ? moves : 0}
                handledMove={handledMove}
                measure={virtualizer.measureElement}
              />
            )
          )
        })}
      </div>
      <MoreNotifications state={state} />
    </div>
  )
}
