/**
 * Jumps of the charts to a point in time, and back to what they showed before. Separate from charts.ts, because the first
 * rows do not need it.
 */
import { msPerDay, msPerMinute } from '../domain/time.ts'
import { charts, showTime } from './charts.ts'

/** Milliseconds before now that the last 24 hours always include: they start with a bucket of ten minutes. */
const recentTime = msPerDay - 10 * msPerMinute

/**
 * Shows the last 24 hours, or the day of an earlier ISO time, with the cursor on that time, until `endJump` restores the
 * previous view.
 */
export function jumpToTime(time: string): void {
  const { range, zone, table } = charts
  charts.beforeJump ??= { range, zone, table }
  // A table has no cursor.
  charts.table = false
  const instant = Date.parse(time)
  const isRecent = Date.now() - instant < recentTime
  // `until` is exclusive, so a time at the start of a day needs 1 ms more to be shown. The viewer's zone, because the
  // time may have another date in the device's.
  const until = isRecent ? undefined : new Date(instant + 1).toISOString()
  showTime({ range: 'day', zone: 'viewer', until, cursorTime: time })
}

/** Ends a jump: shows the current time again, and restores the settings that the person has not changed since. */
export function endJump(): void {
  const { beforeJump, range, zone, table } = charts
  if (!beforeJump) return
  charts.beforeJump = undefined
  charts.table = table || beforeJump.table
  showTime({
    range: range === 'day' ? beforeJump.range : range,
    zone: zone === 'viewer' ? beforeJump.zone : zone,
    until: undefined,
  })
}
