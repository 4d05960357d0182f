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
  /**
   * ISO time that says which calendar day, week, month or year is shown: the one that it is in, or that ends with it. With
   * undefined, the charts show the last 24 hours, 7 days … up to now.
   */
  until: string | undefined
  /** Whether days are in the viewer's time zone or in each device's own. */
  zone: (typeof chartZones)[number]
  /** The only device shown (a bssid), regardless of the selection: opened from a notification or a device screen. */
  onlyDevice: string | undefined
  /** ISO time to which the cursor moves once the statistics have loaded. */
  cursorTime: string | undefined
  /**
   * The selected devices that are charted, if there are more than `maxCharted`. If none of them is selected any more, the
   * first selected ones are charted.
   */
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
  /** The values from before a jump to a point in time (chartJump.ts), which `endJump` restores; undefined without a jump. */
  beforeJump: Pick<Charts, 'range' | 'zone' | 'table'> | undefined
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
  beforeJump: undefined,
})
persist('charts', charts, {
  range: isOneOf(chartRanges),
  zone: isOneOf(chartZones),
  layout: isOneOf(chartLayouts),
  table: isFlag,
})

/** Shows another time range, and clears the zoom and the cursor, which belong to the previous one, unless `next` places it. */
export function showTime(next: Partial<Pick<Charts, 'range' | 'until' | 'zone' | 'cursorTime'>>): void {
  Object.assign(charts, { zoom: undefined, cursorTime: undefined }, next)
  Object.assign(cursor, { x: undefined, anchor: undefined })
}

interface Cursor {
  /** The position on the time axis; undefined while there is no cursor. */
  x: number | undefined
  /** The other end of the range that the person marks, from here to the cursor; undefined while none is marked. */
  anchor: number | undefined
  /** The id of the last chart used, whose values are announced. */
  chart: string | undefined
  /** The device of that chart, if each device has small charts of its own. */
  device: string | undefined
  /** The positions that the cursor can take: the starts of all buckets of the axis, also of those outside of the zoom. */
  xs: readonly number[]
  /** The end of the last bucket. */
  end: number
  /** The notifications of the charted devices with their positions on the time axis, in order of time. */
  notifications: readonly { readonly x: number; readonly notification: Notification }[]
}

/** The cursor that all charts share. Separate from `charts`, because it changes with every pointer move. */
export const cursor = proxy<Cursor>({
  x: undefined,
  anchor: undefined,
  chart: undefined,
  device: undefined,
  xs: ref([]),
  end: 0,
  notifications: ref([]),
})

/** Sets what the cursor can move to: the positions on the axis, and the notifications; both in order of time. */
export function setCursorPositions({ xs, end }: Axis, notifications: Cursor['notifications']): void {
  Object.assign(cursor, { xs: ref(xs), end })
  cursor.notifications = ref(notifications)
}

/** Returns the chosen devices that are still selected. */
export const chosenAndSelected = ({ chosenDevices }: Readonly<Pick<Charts, 'chosenDevices'>> = charts): string[] =>
  chosenDevices.filter(id => selections.devices.has(id))

/** Returns the ids of the charted devices, at most `maxCharted`. */
export function chartedDevices(
  state: Readonly<Pick<Charts, 'onlyDevice' | 'chosenDevices'>> = charts,
): readonly string[] {
  if (state.onlyDevice !== undefined) return [state.onlyDevice]
  const chosen = chosenAndSelected(state)
  const ids = chosen.length > 0 ? chosen : selections.devices.items().map(({ id }) => id)
  return ids.slice(0, maxCharted)
}
