import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Notification } from '../../api/contract/notifications.ts'
import type { FeedState } from '../../api/feed.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandKeys } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { dayName, daysOf } from '../../domain/notifications/days.ts'
import { ownZone } from '../../domain/ownZone.ts'
import { mainSize } from '../../store/layout.ts'
import { notices } from '../../store/notices.ts'
import { useSelection } from '../../store/selection.ts'
import { observeSize, scrollWhereNeeded } from '../../ui/table/scroller.ts'
import { useNow } from '../../ui/useNow.ts'
import { MoreNotifications } from './MoreNotifications.tsx'
import { dayHeight, DayHeading, NotificationRow } from './NotificationRow.tsx'
import { useHeldPlace } from './useHeldPlace.ts'
import { useLooked } from './useLooked.ts'

/** Pixels that most notifications take, until they have been laid out. */
const usualHeight = 61

interface Props {
  state: FeedState<Notification>
  /** Whether a filter leaves some out. */
  narrowed: boolean
}

/** Notifications by day, newest first; those in sight are drawn. New ones come on top and move nothing that is read. */
export function NotificationList({ state, narrowed }: Props) {
  'use no memo'
  const { rows, count = rows.length, asking } = state
  const { focused, moves, fresh } = useSnapshot(notices)
  const selection = useSelection('devices')
  const now = useNow()
  const zone = ownZone()
  const days = useMemo(
    () =>
      daysOf(
        rows.map(row => row.created_at),
        zone,
      ),
    [rows, zone],
  )
  const isFirst = useCallback((index: number) => days[index] !== days[index - 1], [days])
  const scroller = useRef<HTMLDivElement>(null)
  const [expected] = useState(mainSize)
  const at = focused ? rows.findIndex(({ _id }) => _id === focused.notification._id) : -1

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback((index: number) => usualHeight + (isFirst(index) ? dayHeight : 0), [isFirst]),
    // With the heading of a day it is another height.
    getItemKey: useCallback((index: number) => `${rows[index]?._id}${isFirst(index) ? ' first' : ''}`, [rows, isFirst]),
    overscan: 6,
    scrollPaddingStart: dayHeight,
    // The one in focus stays, wherever one has scrolled, so that the browser's focus is not lost.
    rangeExtractor: (range: Range) => {
      const drawn = defaultRangeExtractor(range)
      return at < 0 || drawn.includes(at) ? drawn : [...drawn, at].sort((a, b) => a - b)
    },
    initialRect: expected,
    observeElementRect: observeSize,
    scrollToFn: scrollWhereNeeded,
  })
  const { atTop, arrived } = useHeldPlace(scroller, virtualizer, rows, isFirst)
  // All until the newest are seen together, so what a filter leaves out would be too.
  const isUnseen = useLooked(atTop && !narrowed ? rows[0] : undefined)

  // Who comes back finds the one that was left; who moves by keys sees where to.
  const granted = useRef(moves)
  const moved = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (at < 0 || moved.current === moves) return
    virtualizer.scrollToIndex(at, { align: moved.current === undefined ? 'center' : 'auto' })
    moved.current = moves
  }, [at, moves, virtualizer])

  const first = virtualizer.getVirtualItemForOffset(virtualizer.scrollOffset ?? 0)
  const nameOf = (index: number) => dayName(days[index] ?? 0, now, zone)
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto [overflow-anchor:none]">
      <p role="status" className="sr-only">
        {arrived > 0 && `${arrived} new ${arrived === 1 ? 'notification' : 'notifications'}`}
      </p>
      <div className="sticky top-0 z-20 h-0">
        <div aria-hidden="true">{first && <DayHeading name={nameOf(first.index)} />}</div>
        {fresh > 0 && (
          <button
            type="button"
            data-command="notification.newest"
            className="btn btn-primary absolute top-[38px] left-1/2 -translate-x-1/2 rounded-full shadow-(--shadow)"
            onClick={() => void run('notification.newest')}
          >
            ↑ {fresh.toLocaleString('en')} new
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
        aria-busy={asking === 'more' || asking === 'start'}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          return (
            row && (
              <NotificationRow
                key={row._id}
                notification={row}
                index={index}
                count={count}
                top={start}
                day={isFirst(index) ? nameOf(index) : undefined}
                unseen={isUnseen(row)}
                colour={selection.colourOf(row.device.bssid)}
                focused={index === at}
                reachable={index === (at < 0 ? 0 : at)}
                grab={index === at ? moves : 0}
                granted={granted}
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
