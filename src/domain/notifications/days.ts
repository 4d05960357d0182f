/** Notifications by the day on which they were made, as the clocks on the walls of a zone have it. */
import { dayOf, instantOf, wallTime } from '../zone.ts'

const day = 86_400_000

/**
 * For each time (ISO, newest first) the wall time, in milliseconds, at which its day in the zone begins. Zones are asked
 * once a day and not once a row.
 */
export function daysOf(times: readonly string[], zone: string): readonly number[] {
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

const written = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' })

/** `Today`, `Yesterday`, or the date in full; `began` is the wall time at which the day begins. */
export function dayName(began: number, now: number, zone: string): string {
  const today = dayOf(wallTime(zone, now))
  if (began === today) return 'Today'
  // Days on the wall all have 24 hours, whatever clocks were put forward or back.
  return began === today - day ? 'Yesterday' : written.format(began)
}
