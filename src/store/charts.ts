/** The state of the charts. */
import { proxy, ref } from 'valtio'
import { isFlag, isOneOf } from '../domain/lib/checks.ts'
import type { Notification } from '../api/contract/notifications.ts'
import type { Axis, AxisRange } from '../domain/charts/zoom.ts'
import { persist } from './persist.ts'
import { selections } from './selection.ts'

/** The maximum number of devices on a chart, which can still be distinguished by colour. */
export const maxCharted = 20

export const chartRanges = ['day', 'week', 'month', 'year'] as const
export const chartZones = ['viewer', 'device'] as const
/** Whether a chart has the lines of all devices, or each device has small charts of its own. */
export const chartLayouts = ['together', 'device'] as const

interface Charts {
  range: (typeof chartRanges)[number]
  /** ISO time within the calendar day, week, month or year shown, or its end; undefined is the newest range, up to now. */
  until: string | undefined
  /** Whether days are in the viewer's time zone or in each device's own. */
  zone: (typeof chartZones)[number]
  /** The only device shown (a bssid), regardless of the selection: opened from a notification or a device screen. */
  onlyDevice: string | undefined
  /** ISO time to which the cursor moves once the statistics have loaded. */
  cursorTime: string | undefined
  /** The selected devices that are charted, if there are more than `maxCharted`; empty means the first ones. */
  chosenDevices: string[]
  /** The devices whose lines are hidden. */
  hiddenDevices: string[]
  layout: (typeof chartLayouts)[number]
  /** The device whose lines stand out, while those of the others fade. */
  highlightedDevice: string | undefined
  /** The device whose name is below the pointer; its lines stand out meanwhile. */
  pointedDevice: string | undefined
  /** The id of the only chart shown; undefined means all. */
  enlargedChart: string | undefined
  /** Whether a table is shown instead of lines. */
  table: boolean
  /** The visible range of the time axis, as positions on it; undefined means all of it. */
  zoom: AxisRange | undefined
  /** The values before a visit to a point in time, which `endVisit` restores. */
  beforeVisit: Pick<Charts, 'range' | 'zone' | 'table'> | undefined
}

export const charts = proxy<Charts>({
  range: 'day',
  until: undefined,
  zone: 'viewer',
  onlyDevice: undefined,
  cursorTime: undefined,
  chosenDevices: [],
  hiddenDevices: [],
  layout: 'together',
  highlightedDevice: undefined,
  pointedDevice: undefined,
  enlargedChart: undefined,
  table: false,
  zoom: undefined,
  beforeVisit: undefined,
})
persist('charts', charts, {
  range: isOneOf(chartRanges),
  zone: isOneOf(chartZones),
  layout: isOneOf(chartLayouts),
  table: isFlag,
})

/** Shows another time range, and clears the zoom and the cursor, which belong to the previous one. */
export function showTime(next: Partial<Pick<Charts, 'range' | 'until' | 'zone' | 'cursorTime'>>): void {
  Object.assign(charts, next)
  charts.zoom = undefined
  Object.assign(cursor, { x: undefined, anchor: undefined })
}

interface Cursor {
  /** The position on the time axis; undefined while there is no cursor. */
  x: number | undefined
  /** The start of the marked range, which ends at the cursor. */
  anchor: number | undefined
  /** The id of the last chart used, whose values are announced. */
  chart: string | undefined
  /** The device of the last small chart used. */
  device: string | undefined
  /** The positions that the cursor can take: the starts of the visible buckets. */
  xs: readonly number[]
  /** The end of the last bucket. */
  end: number
  /** The notifications of the charted devices at their positions, in order of time. */
  marks: readonly { readonly x: number; readonly notification: Notification }[]
}

/** The cursor that all charts share. Separate from `charts`, because it changes with every pointer move. */
export const cursor = proxy<Cursor>({
  x: undefined,
  anchor: undefined,
  chart: undefined,
  device: undefined,
  xs: ref([]),
  end: 0,
  marks: ref([]),
})

/** Sets the positions that the cursor can take, in order of time, and the end of the axis. */
export function setCursorPositions({ xs, end }: Axis, marks: Cursor['marks']): void {
  Object.assign(cursor, { xs: ref(xs), end })
  cursor.marks = ref(marks)
}

/** Returns the ids of the charted devices, at most `maxCharted`. */
export function chartedDevices({
  onlyDevice,
  chosenDevices,
}: Readonly<Pick<Charts, 'onlyDevice' | 'chosenDevices'>> = charts): readonly string[] {
  if (onlyDevice !== undefined) return [onlyDevice]
  const chosen = chosenDevices.filter(id => selections.devices.has(id))
  const ids = chosen.length > 0 ? chosen : selections.devices.items().map(({ id }) => id)
  return ids.slice(0, maxCharted)
}
