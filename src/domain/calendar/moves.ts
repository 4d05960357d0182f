/** Where the start of an event goes when it is dragged, or moved by keys. Times are wall times (see `days.ts`). */
import { msPerDay, msPerMinute } from '../time.ts'
import { addDays, dayAt, occurrence, slotMinutes, wallOf, type Day } from './days.ts'

/** Minutes of the hour at which a dragged event can start. */
const dragMinutes = 15
const wholeDay = msPerDay / msPerMinute

/** A point of a view: a day and, where the view has times, the minutes after midnight. */
export interface Place {
  readonly day: Day
  readonly minutes?: number
}

/** Returns the start of an event that was dragged between two places. It keeps its time of day if only the day changes. */
export function draggedStart(start: number, from: Place, to: Place): number {
  const day = wallOf(dayAt(start)) + wallOf(to.day) - wallOf(from.day)
  const time = start - wallOf(dayAt(start))
  const by = (to.minutes ?? 0) - (from.minutes ?? 0)
  if (Math.abs(by) < dragMinutes / 2) return day + time
  const minutes = Math.round((time / msPerMinute + by) / dragMinutes) * dragMinutes
  return day + Math.max(0, Math.min(minutes, wholeDay - dragMinutes)) * msPerMinute
}

/** Returns a start some days later, or earlier, at the same time of day. */
export const daysLater = (start: number, days: number): number =>
  wallOf(addDays(dayAt(start), days)) + (start - wallOf(dayAt(start)))

/** Returns the start one slot later (1) or earlier (-1), without times that do not occur because clocks are put forward. */
export function slotLater(zone: string, start: number, by: 1 | -1): number {
  let later = start
  do later += by * slotMinutes * msPerMinute
  while (occurrence(zone, later) === 'never')
  return later
}
