/** The lines of a channel of health over days: values in % of new, smoothed, with a band. */
import { formatNumber } from '../format.ts'
import { median } from '../health/maths/median.ts'
import type { Channel } from '../health/types/channels.ts'
import { plural } from '../plural.ts'
import { msPerDay } from '../time.ts'
import { wallTime } from '../zone.ts'
import { dayName } from './axis.ts'
import type { GridRow } from './grid.ts'

/** The changes of a day, or of a week that is old, against the baseline, as natural logarithms. */
export interface HealthDay {
  readonly at: string
  /** Days that it is of: 1 or 7. */
  readonly days: number
  readonly values: Readonly<Partial<Record<Channel, number>>>
  /** Flow and salt as measured, against what was measured when the baseline was learned. */
  readonly measured?: Readonly<Partial<Record<Channel, number>>>
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Days whose median is the line at a day: those of a week. */
export const smoothedDays = 7
/** Days without a value that interrupt a line. */
const longestGap = 7

export const percentOfNew = (change: number): number => 100 * Math.exp(change)

/** Returns the position of an instant on the axis: the wall time at which its day starts. */
export const dayPosition = (at: number, zone: string): number => Math.floor(wallTime(zone, at) / msPerDay) * msPerDay

/** Returns the days of the axis, which ends today. */
export function healthDays(now: number, days: number, zone: string): readonly GridRow[] {
  const today = dayPosition(now, zone)
  return Array.from({ length: days + 1 }, (_, index) => {
    const x = today - (days - index) * msPerDay
    return { x, wall: x, isRepeated: false, startsAt: x }
  })
}

/** Returns values in % of new, in order of time. */
const pointsOf = (
  days: readonly HealthDay[],
  zone: string,
  changeOf: (day: HealthDay) => number | undefined,
): readonly Point[] =>
  days.flatMap(day => {
    const change = changeOf(day)
    return change === undefined ? [] : [{ x: dayPosition(Date.parse(day.at), zone), y: percentOfNew(change) }]
  })

/** Returns the medians of the days around each value: one day that is far off does not move the line. */
export function smoothed(points: readonly Point[]): Point[] {
  const reach = ((smoothedDays - 1) / 2) * msPerDay
  return points.map(({ x }) => ({
    x,
    y: median(points.filter(each => Math.abs(each.x - x) <= reach).map(({ y }) => y)),
  }))
}

/** Returns the points with a null where days without values interrupt the line. */
export const withGaps = (points: readonly Point[]): readonly { x: number; y: number | null }[] =>
  points.flatMap((point, index) => {
    const before = points[index - 1]
    return before && point.x - before.x > longestGap * msPerDay ? [{ x: before.x + msPerDay, y: null }, point] : [point]
  })

/** Returns the band of `deviation` (as ln) around a line, interrupted as the line is. */
export function bandAround(points: readonly Point[], deviation: number) {
  const bands: { x: number; low: number; high: number }[][] = []
  points.forEach(({ x, y }, index) => {
    const before = points[index - 1]
    if (!before || x - before.x > longestGap * msPerDay) bands.push([])
    bands.at(-1)!.push({ x, low: y * Math.exp(-deviation), high: y * Math.exp(deviation) })
  })
  return bands
}

/** The parts of a device's health that a chart needs. */
interface Health {
  readonly points: readonly HealthDay[]
  readonly neighbours: readonly HealthDay[]
  readonly trends: Readonly<Partial<Record<Channel, { readonly deviation: number }>>>
  readonly thresholds: Readonly<Partial<Record<Channel, number>>>
  readonly replacements: readonly { readonly at: string }[]
}

/** What a chart shows of a channel, in % of new. */
export interface HealthLine {
  /** The smoothed line, and the value of each day. */
  readonly points: readonly Point[]
  readonly days: readonly Point[]
  readonly neighbours: readonly Point[]
  /** What was measured each day, without standard conditions. */
  readonly measured: readonly Point[]
  /** Half the width of the band, as a natural logarithm. */
  readonly deviation: number
  /** Values below and above which a change is noticed. */
  readonly thresholds: readonly number[]
  /** The positions of days on which cartridges were replaced. */
  readonly replacements: readonly number[]
  /** The positions of points that are the means of weeks. */
  readonly weeks: readonly number[]
}

/** Standard deviations of the trend that its band is wide to each side. */
const bandDeviations = 2

/** Returns what the chart of a channel shows. */
export function healthLine(health: Health, channel: Channel, zone: string): HealthLine {
  const days = pointsOf(health.points, zone, ({ values }) => values[channel])
  const threshold = health.thresholds[channel]
  return {
    days,
    points: smoothed(days),
    neighbours: smoothed(pointsOf(health.neighbours, zone, ({ values }) => values[channel])),
    measured: pointsOf(health.points, zone, ({ measured }) => measured?.[channel]),
    deviation: bandDeviations * (health.trends[channel]?.deviation ?? 0),
    thresholds: threshold === undefined ? [] : [percentOfNew(-threshold), percentOfNew(threshold)],
    weeks: health.points
      .filter(({ days: length, values }) => length > 1 && values[channel] !== undefined)
      .map(({ at }) => dayPosition(Date.parse(at), zone)),
    replacements: [...new Set(health.replacements.map(({ at }) => dayPosition(Date.parse(at), zone)))],
  }
}

/** Describes a chart in words, for those who do not see it. */
export function healthLineInWords({ points, neighbours, measured, thresholds, deviation, weeks }: HealthLine): string {
  const last = points.at(-1)
  if (!last) return 'no days with data'
  const values = points.map(({ y }) => y)
  const days = points.length - weeks.length
  const parts = [weeks.length > 0 ? plural(weeks.length, 'week') : '', days > 0 ? plural(days, 'day') : '']
  const data = parts.filter(text => text !== '').join(' and ')
  const spread = deviation > 0 ? ` ± ${formatNumber(last.y * Math.expm1(deviation))}` : ''
  return [
    `${formatNumber(last.y)}${spread} % of new on ${dayName(last.x)}`,
    `lowest ${formatNumber(Math.min(...values))} %, highest ${formatNumber(Math.max(...values))} % in ${data} with data`,
    ...neighbours.slice(-1).map(({ y }) => `neighbours ${formatNumber(y)} %`),
    ...measured.slice(-1).map(({ y }) => `as measured ${formatNumber(y)} %`),
    ...(thresholds.length === 2
      ? [`noticed below ${formatNumber(thresholds[0]!)} % or above ${formatNumber(thresholds[1]!)} %`]
      : []),
  ].join('; ')
}
