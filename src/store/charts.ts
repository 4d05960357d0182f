/** What the charts show. */
import { proxy, ref } from 'valtio'
import * as z from 'zod/mini'
import type { Notification } from '../api/contract/notifications.ts'
import type { Axis, AxisRange } from '../domain/charts/zoom.ts'
import { persist } from './persist.ts'
import { selections } from './selection.ts'

/** As many devices as can be told apart by colour. */
export const maxCharted = 20

export const chartRanges = ['day', 'week', 'month', 'year'] as const
export const chartZones = ['viewer', 'device'] as const

interface Charts {
  range: (typeof chartRanges)[number]
  /** ISO time that is in the last day shown, or ends it; undefined is now. */
  until: string | undefined
  /** Whose days: the viewer's, or each device's own. */
  zone: (typeof chartZones)[number]
  /** Only this device (a bssid), whatever is selected: from a notification or from its own screen. */
  only: string | undefined
  /** ISO time at which the cursor that all charts share begins; taken as soon as that is on screen. */
  at: string | undefined
  /** Which of the selected devices are shown where there are more than `maxCharted`; empty is the first of them. */
  chosen: string[]
  /** Devices whose lines are hidden for now. */
  hidden: string[]
  /** The chart that is shown alone, by its id. */
  enlarged: string | undefined
  /** Numbers in place of lines. */
  table: boolean
  /** The stretch of the time axis that is shown, as positions on it; undefined is all of it. */
  zoom: AxisRange | undefined
  /** What a visit to a moment took the place of. */
  before: Pick<Charts, 'range' | 'zone' | 'table'> | undefined
}

export const charts = proxy<Charts>({
  range: 'day',
  until: undefined,
  zone: 'viewer',
  only: undefined,
  at: undefined,
  chosen: [],
  hidden: [],
  enlarged: undefined,
  table: false,
  zoom: undefined,
  before: undefined,
})
persist(
  'charts',
  charts,
  z.partial(
    z.object({
      range: z.enum(chartRanges),
      zone: z.enum(chartZones),
      table: z.boolean(),
    }),
  ),
)

/** Another stretch of time is shown: what was marked in the one before is nowhere. */
export function showTime(next: Partial<Pick<Charts, 'range' | 'until' | 'zone' | 'at'>>): void {
  Object.assign(charts, next)
  charts.zoom = undefined
  Object.assign(cursor, { x: undefined, anchor: undefined })
}

/** Shows a moment (ISO), with the cursor there, for as long as the charts are visited: see `endVisit`. */
export function visitMoment(at: string): void {
  const { range, zone, table } = charts
  charts.before ??= { range, zone, table }
  // A table has no cursor.
  charts.table = false
  // The moment itself is to be shown, also one at which a day begins; on the device's clock it may have another date.
  showTime({ range: 'day', zone: 'viewer', until: new Date(Date.parse(at) + 1).toISOString(), at })
}

/** After a visit to a moment the next is to now, as before but for what was chosen meanwhile. */
export function endVisit(): void {
  const { before, range, zone, table } = charts
  if (!before) return
  charts.before = undefined
  charts.table = table || before.table
  showTime({
    range: range === 'day' ? before.range : range,
    zone: zone === 'viewer' ? before.zone : zone,
    until: undefined,
    at: undefined,
  })
}

interface Cursor {
  /** Its position on the time axis; undefined while there is none. */
  x: number | undefined
  /** Where a marked stretch began that ends at the cursor. */
  anchor: number | undefined
  /** The chart that was touched last, by its id: its values are read out. */
  chart: string | undefined
  /** Positions that it can take: where the buckets on screen begin. */
  xs: readonly number[]
  /** Where the last of them ends. */
  end: number
  /** What was notified of the charted devices, by the place that stands for it; in order of time. */
  marks: readonly { readonly x: number; readonly notification: Notification }[]
}

/** The cursor that all charts share. Apart from `charts`, because it moves with the pointer. */
export const cursor = proxy<Cursor>({
  x: undefined,
  anchor: undefined,
  chart: undefined,
  xs: ref([]),
  end: 0,
  marks: ref([]),
})

/** Which places the cursor has, in order of time, and where the axis ends. */
export function setCursorPlaces({ xs, end }: Axis, marks: Cursor['marks']): void {
  Object.assign(cursor, { xs: ref(xs), end })
  cursor.marks = ref(marks)
}

/** The devices that are charted, by their ids; at most `maxCharted`. */
export function chartedDevices({
  only,
  chosen,
}: Readonly<Pick<Charts, 'only' | 'chosen'>> = charts): readonly string[] {
  if (only !== undefined) return [only]
  const still = chosen.filter(id => selections.devices.has(id))
  const ids = still.length > 0 ? still : selections.devices.items().map(({ id }) => id)
  return ids.slice(0, maxCharted)
}
