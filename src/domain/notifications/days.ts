/** Groups notifications by the local day on which they were created. */
import { wallFormat } from '../dates.ts'
import { dayOf, instantOf, wallTime } from '../zone.ts'
import { msPerDay } from '../time.ts'

/**
 * Returns, for each time (ISO, newest first), the wall time in milliseconds at which its day in the zone starts. Converts
 * time zones once for each day instead of each row, because conversions are slow.
 */
export function dayStarts(times: readonly string[], zone: string): readonly number[] {
  let dayStart = 0
  let from = Infinity
  let to = -Infinity
  return times.map(time => {
    const instant = Date.parse(time)
    if (instant < from || instant >= to) {
      dayStart = dayOf(wallTime(zone, instant))
      from = instantOf(zone, dayStart)
      to = instantOf(zone, dayStart + msPerDay)
    }
    return dayStart
  })
}

const fullDate = wallFormat({ dateStyle: 'full' })

/** Returns `Today`, `Yesterday` or the full date; `dayStart` is the wall time at which the day starts. */
export function dayName(dayStart: number, now: number, zone: string): string {
  const today = dayOf(wallTime(zone, now))
  if (dayStart === today) return 'Today'
  // Days in wall time always have 24 hours, even when clocks change.
  return dayStart === today - msPerDay ? 'Yesterday' : fullDate(dayStart)
}
