/** Labels of the charts' time axis: its ticks, buckets and date ranges. */
import type { GridRow } from './grid.ts'
import type { ChartPeriod } from './days.ts'
import { bucketsOfPeriod } from '../buckets.ts'
import { hourOfDay, timeOfDay, wallFormat, wallRangeFormat } from '../dates.ts'
import { msPerDay, msPerHour, msPerMinute } from '../time.ts'
import { wallTime } from '../zone.ts'

export interface Tick {
  readonly x: number
  readonly label: string
  /** Whether the tick starts a larger unit, such as a day or a year. */
  readonly major: boolean
}

/** The wall time of 1970-01-05. */
const firstMonday = 4 * msPerDay

/** Tick spacings from fine to coarse: which wall times have a tick, and the usual pixels of a label. */
const steps: readonly { readonly at: (wall: number) => boolean; readonly width: number; readonly label: Label }[] = [
  ...[10 * msPerMinute, 30 * msPerMinute, msPerHour, 2 * msPerHour, 3 * msPerHour, 6 * msPerHour, 12 * msPerHour].map(
    step => ({
      at: (wall: number) => wall % step === 0,
      width: 46,
      label: clock,
    }),
  ),
  ...[1, 2].map(days => ({ at: (wall: number) => wall % (days * msPerDay) === 0, width: 46, label: date })),
  { at: wall => (wall - firstMonday) % (7 * msPerDay) === 0, width: 46, label: date },
  ...[1, 2, 3].map(months => ({
    at: (wall: number) => isMonth(wall) && new Date(wall).getUTCMonth() % months === 0,
    width: 36,
    label: month,
  })),
  { at: wall => isMonth(wall) && new Date(wall).getUTCMonth() === 0, width: 36, label: month },
]
type Label = (wall: number) => { label: string; major: boolean }

const isMonth = (wall: number) => wall % msPerDay === 0 && new Date(wall).getUTCDate() === 1

const monthAndDay = wallFormat({ month: 'short', day: 'numeric' })
const monthName = wallFormat({ month: 'short' })
const withWeekday = wallFormat({ weekday: 'short', month: 'short', day: 'numeric' })
const daysOfYear = wallRangeFormat({ month: 'short', day: 'numeric', year: 'numeric' })
const monthAndYear = wallFormat({ month: 'long', year: 'numeric' })
/** Formats the day of a wall time: `Thu, Mar 5, 2026`. */
export const dayName = wallFormat({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })

const timeTick = (wall: number) => (wall % msPerHour === 0 ? hourOfDay : timeOfDay)(wall)

function clock(wall: number): ReturnType<Label> {
  return wall % msPerDay === 0 ? { label: monthAndDay(wall), major: true } : { label: timeTick(wall), major: false }
}
function date(wall: number): ReturnType<Label> {
  return { label: monthAndDay(wall), major: isMonth(wall) }
}
function month(wall: number): ReturnType<Label> {
  const year = new Date(wall).getUTCMonth() === 0
  return { label: year ? String(new Date(wall).getUTCFullYear()) : monthName(wall), major: year }
}

/** Returns the pixels of a label and the space beside it. Some languages need more than the usual width. */
const widthOf = (characters: number) => characters * 6 + 10

/** Returns ticks at round wall times among the rows, as many as fit into `pixels`. */
export function ticksOf(rows: readonly GridRow[], pixels: number): readonly Tick[] {
  for (const { at, width, label } of steps) {
    const fitting = rows.filter(({ wall }) => at(wall))
    // Buckets of whole days need no ticks for hours.
    if (label === clock && fitting.every(({ wall }) => wall % msPerDay === 0)) continue
    const ticks = fitting.map(({ x, wall }) => ({ x, ...label(wall) }))
    const longest = Math.max(...ticks.map(tick => tick.label.length))
    if (ticks.length > 0 && ticks.length * Math.max(width, widthOf(longest)) <= pixels) return ticks
  }
  return []
}

/**
 * Formats the bucket that a row starts: `Thu, Mar 5, 14:20–14:30`, or its date if it is a whole day. `seconds`: its
 * length.
 */
export function bucketLabel({ wall, isRepeated }: GridRow, seconds: number): string {
  const end = wall + seconds * 1000
  if (end - wall >= msPerDay) return dayName(wall)
  return `${withWeekday(wall)}, ${timeOfDay(wall)}–${timeOfDay(end)}${isRepeated ? ' (second time)' : ''}`
}

/** The names of the newest ranges. */
const newestNames = { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 31 days', year: 'Last 12 months' }

/**
 * Names what the charts show: `Last 24 hours`; a calendar period in the viewer's zone: `Thu, Mar 5, 2026`,
 * `Mar 2 – 8, 2026`, `March 2026`, `2026`.
 */
export function periodLabel({ range, until }: ChartPeriod, zone: string): string {
  if (until === undefined) return newestNames[range]
  const { edges } = bucketsOfPeriod(range, Date.parse(until), zone)
  const [from, to] = [wallTime(zone, edges[0]!), wallTime(zone, edges.at(-1)!)]
  if (range === 'month') return monthAndYear(from)
  return range === 'year' ? String(new Date(from).getUTCFullYear()) : dateRangeLabel(from, to)
}

/** Formats the days from `from` until before `to`, both wall times: `Thu, Mar 5, 2026`, `Feb 27 – Mar 5, 2026`. */
export function dateRangeLabel(from: number, to: number): string {
  const last = to - 1
  if (last - from < msPerDay) return dayName(from)
  return daysOfYear(from, last)
}
