/** Groups notifications by the local day on which they were created. */
import { dayOf, instantOf, wallTime } from '../zone.ts'

const day = 86_400_000

/**
 * Returns for each time (ISO, newest first) the wall time, in milliseconds, at which its day in the zone starts. Converts
 * time zones once a day instead of once a row, because conversions are slow.
 */
export function dayStarts(times: readonly string[], zone: string): readonly number[] {
  let began = 0
  let from = Infinity
  let to = -Infinity
  return times.map(time => {
    const instant = Date.parse(time)
    if (instant < from || instant >= to) {
      began = dayOf(wallTime(zone, instant))
      from = instantOf(zone, began)
      to = instantOf(zone, began + day)
    }
    return began
  })
}

const fullDate = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' })

/** Returns `Today`, `Yesterday` or the full date; `began` is the wall time at which the day starts. */
export function dayName(began: number, now: number, zone: string): string {
  const today = dayOf(wallTime(zone, now))
  if (began === today) return 'Today'
  // Days in wall time always have 24 hours, even when clocks change.
  return began === today - day ? 'Yesterday' : fullDate.format(began)
}
