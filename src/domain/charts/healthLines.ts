/** The lines of a channel of health over days: values in % of new, smoothed, with a band. */
import { formatNumber } from '../format.ts'
import { median } from '../health/maths/median.ts'
import type { Channel } from '../health/types/channels.ts'
import { plural } from '../plural.ts'
import { msPerDay } from '../time.ts'
import { wallTime } from '../zone.ts'
import { dayName } from './axis.ts'
import type { GridRow } from './grid.ts'
import { beginningInWords, beginningsOf, type BegunFinding, type Begun } from './healthBeginnings.ts'

/** The changes of a day, or of a week that is old, against the baseline, as natural logarithms. */
export interface HealthDay {
  readonly at: string
  /** Days that it is of: 1 or 7. */
  readonly days: number
  readonly values: Readonly<Partial<Record<Channel, number>>>
  /** Standard errors of the values, as natural logarithms. */
  readonly errors?: Readonly<Partial<Record<Channel, number>>>
  /** Flow and salt as measured, against what was measured when the baseline was learned. */
  readonly measured?: Readonly<Partial<Record<Channel, number>>>
}

interface Point {
  readonly x: number
  readonly y: number
  /** Standard error, as a natural logarithm; undefined if there is no band. */
  readonly error?: number | undefined
}

/** Days whose median is the line at a day: those of a week. */
export const smoothedDays = 7
/** Days without a value that interrupt a line. */
const maxGap = 7

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
  errorOf: (day: HealthDay) => number | undefined = () => undefined,
): readonly Point[] =>
  days.flatMap(day => {
    const change = changeOf(day)
    if (change === undefined) return []
    return [{ x: dayPosition(Date.parse(day.at), zone), y: percentOfNew(change), error: errorOf(day) }]
  })

/** Returns the medians of the days around each value: one day that is far off does not move the line. */
export function smoothed(points: readonly Point[]): Point[] {
  const reach = ((smoothedDays - 1) / 2) * msPerDay
  return points.map(({ x }) => {
    const around = points.filter(each => Math.abs(each.x - x) <= reach)
    const errors = around.flatMap(({ error }) => error ?? [])
    return {
      x,
      y: median(around.map(({ y }) => y)),
      ...(errors.length > 0 && { error: median(errors) }),
    }
  })
}

/** Returns the points with a null where days without values interrupt the line. */
export const withGaps = (points: readonly Point[]): readonly { x: number; y: number | null }[] =>
  points.flatMap((point, index) => {
    const before = points[index - 1]
    return before && point.x - before.x > maxGap * msPerDay ? [{ x: before.x + msPerDay, y: null }, point] : [point]
  })

/** Standard errors that the band is wide to each side: about 95 % of what sensors may wander. */
export const bandErrors = 2

/** Returns the band around a line, interrupted as the line is. Points without an error have none. */
export function bandAround(points: readonly Point[]) {
  const bands: { x: number; low: number; high: number }[][] = []
  points.forEach(({ x, y, error }, index) => {
    if (error === undefined) return
    const before = points[index - 1]
    if (before?.error === undefined || x - before.x > maxGap * msPerDay) bands.push([])
    const width = Math.exp(bandErrors * error)
    bands.at(-1)!.push({ x, low: y / width, high: y * width })
  })
  return bands
}

/** The parts of a device's health that a chart needs. */
interface Health {
  readonly points: readonly HealthDay[]
  readonly neighbours: readonly HealthDay[]
  /** Whether the bypass hides the salt passage of the membrane. */
  readonly salt_hidden: boolean
  readonly findings: readonly BegunFinding[]
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
  /** Whether the bypass hides it: the line says nothing about the membrane, and has neither band nor thresholds. */
  readonly isHidden: boolean
  /** When findings began that it shows. */
  readonly beginnings: readonly Begun[]
  /** Values below and above which a change is noticed. */
  readonly thresholds: readonly number[]
  /** The positions of days on which cartridges were replaced. */
  readonly replacements: readonly number[]
  /** The positions of points that are the means of weeks. */
  readonly weeks: readonly number[]
}

/** Returns whether the bypass hides a channel of a device. */
export const isHidden = ({ salt_hidden }: Pick<Health, 'salt_hidden'>, channel: Channel): boolean =>
  salt_hidden && (channel === 'b' || channel === 'brief')

/** Returns what the chart of a channel shows. `health.findings` has the findings that have not ended. */
export function healthLine(health: Health, channel: Channel, zone: string): HealthLine {
  const hidden = isHidden(health, channel)
  const days = pointsOf(
    health.points,
    zone,
    ({ values }) => values[channel],
    ({ errors }) => (hidden ? undefined : errors?.[channel]),
  )
  const threshold = hidden ? undefined : health.thresholds[channel]
  return {
    days,
    points: smoothed(days),
    neighbours: smoothed(pointsOf(health.neighbours, zone, ({ values }) => values[channel])),
    measured: pointsOf(health.points, zone, ({ measured }) => measured?.[channel]),
    isHidden: hidden,
    beginnings: beginningsOf(health.findings, channel),
    thresholds: threshold === undefined ? [] : [percentOfNew(-threshold), percentOfNew(threshold)],
    weeks: health.points
      .filter(({ days: length, values }) => length > 1 && values[channel] !== undefined)
      .map(({ at }) => dayPosition(Date.parse(at), zone)),
    replacements: [...new Set(health.replacements.map(({ at }) => dayPosition(Date.parse(at), zone)))],
  }
}

/** Describes a chart in words, for those who do not see it. */
export function healthLineInWords(line: HealthLine): string {
  const { points, neighbours, measured, thresholds, weeks, beginnings } = line
  const last = points.at(-1)
  if (!last) return 'no days with data'
  const values = points.map(({ y }) => y)
  const days = points.length - weeks.length
  const parts = [weeks.length > 0 ? plural(weeks.length, 'week') : '', days > 0 ? plural(days, 'day') : '']
  const data = parts.filter(text => text !== '').join(' and ')
  const spread = last.error === undefined ? '' : ` ± ${formatNumber(last.y * Math.expm1(bandErrors * last.error))}`
  return [
    ...(line.isHidden ? ['the bypass hides that of the membrane'] : []),
    `${formatNumber(last.y)}${spread} % of new on ${dayName(last.x)}`,
    `lowest ${formatNumber(Math.min(...values))} %, highest ${formatNumber(Math.max(...values))} % in ${data} with data`,
    ...neighbours.slice(-1).map(({ y }) => `neighbours ${formatNumber(y)} %`),
    ...measured.slice(-1).map(({ y }) => `as measured ${formatNumber(y)} %`),
    ...(thresholds.length === 2
      ? [`noticed below ${formatNumber(thresholds[0]!)} % or above ${formatNumber(thresholds[1]!)} %`]
      : []),
    ...beginnings.map(beginningInWords),
  ].join('; ')
}
