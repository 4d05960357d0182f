/**
 * How many alarms people get. After EEMUA 191 and ISA-18.2, a person takes one alarm in ten minutes, and ten or more in ten
 * minutes are a flood, in which alarms are missed. An alarm is a line of the notifications: an incident is one.
 */
import { msPerDay, msPerHour, msPerMinute } from '../time.ts'
import { dayOf, instantOf, wallTime } from '../zone.ts'

/** Milliseconds of a window. Windows begin at whole multiples of it since 1970, in UTC. */
export const windowLength = 10 * msPerMinute
/** Alarms of a window from which it is a flood. */
export const floodFrom = 10
/** Alarms a day that a person takes: one in each window. */
export const takenPerDay = msPerDay / windowLength

/** Days of each range, with today. */
export const loadDays = { week: 7, month: 30 } as const
export type LoadRange = keyof typeof loadDays

/** The alarms of a window: `at` is its start, milliseconds UTC. Windows without alarms are left out. */
export interface AlarmWindow {
  readonly at: number
  readonly alarms: number
}

export interface AlarmDay {
  /** The start of the local day, milliseconds UTC. */
  readonly at: number
  readonly alarms: number
  /** Those of its alarms that were given in floods. */
  readonly flooded: number
}

export interface AlarmLoad {
  readonly alarms: number
  /** Alarms a day: each person who sees these devices gets all of them. */
  readonly perPersonDay: number
  /** Windows so far, and those of them that were floods. */
  readonly windows: number
  readonly floodWindows: number
  /** Hours in flood. */
  readonly floodHours: number
  /** The window with the most alarms, the newest of several. */
  readonly fullest: AlarmWindow | undefined
  readonly days: readonly AlarmDay[]
}

/** Returns the starts of the last local days in a time zone, oldest first: the last is today. Milliseconds UTC. */
export function lastDays(days: number, now: number, zone: string): readonly number[] {
  const today = dayOf(wallTime(zone, now))
  return Array.from({ length: days }, (_, index) => instantOf(zone, today - (days - 1 - index) * msPerDay))
}

/**
 * Returns the load from `from` to `now`, by the local days that start at `days` (milliseconds UTC). A window belongs to the
 * day in which it begins; the first of a range may have begun just before it.
 */
export function alarmLoad(
  windows: readonly AlarmWindow[],
  { days, from, now }: { readonly days: readonly number[]; readonly from: number; readonly now: number },
): AlarmLoad {
  const isFlood = ({ alarms }: AlarmWindow) => alarms >= floodFrom
  const alarms = sumOf(windows)
  const floodWindows = windows.filter(isFlood).length
  const elapsed = Math.max(windowLength, now - from)
  return {
    alarms,
    perPersonDay: alarms / (elapsed / msPerDay),
    windows: Math.ceil(elapsed / windowLength),
    floodWindows,
    floodHours: (floodWindows * windowLength) / msPerHour,
    fullest: windows.reduce<AlarmWindow | undefined>(
      (most, window) => (most === undefined || window.alarms >= most.alarms ? window : most),
      undefined,
    ),
    days: days.map((at, index) => {
      const [start, end] = [index === 0 ? -Infinity : at, days[index + 1] ?? Infinity]
      const ofDay = windows.filter(window => window.at >= start && window.at < end)
      return { at, alarms: sumOf(ofDay), flooded: sumOf(ofDay.filter(isFlood)) }
    }),
  }
}

const sumOf = (windows: readonly AlarmWindow[]) => windows.reduce((sum, { alarms }) => sum + alarms, 0)
