/** What the commands of the charts do: through time, along the axis, in and out. Loaded with the first of them. */
import { statisticsQuery } from '../../api/statistics.ts'
import { bucketsOf } from '../../domain/buckets.ts'
import { stepAlong } from '../../domain/charts/lines.ts'
import { chartKinds } from '../../domain/charts/charts.ts'
import { zoomAround, zoomToRange, type AxisRange } from '../../domain/charts/zoom.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { routes } from '../../domain/lists/routes.ts'
import { instantOf, wallTime } from '../../domain/zone.ts'
import { chartedDevices, charts, cursor, showTime } from '../../store/charts.ts'
import { selections } from '../../store/selection.ts'
import type { Choices, Option, Services } from '../core/types.ts'

/** As long again, before what is shown. */
export function showEarlier(): void {
  showTime({ until: new Date(shownTime().from).toISOString() })
}

/** As long again, after what is shown; the newest where that would be its end, or beyond. */
export function showLater(): void {
  const { from, to } = shownTime()
  const zone = systemTimeZone()
  const wall = wallTime(zone, to)
  const next = instantOf(zone, wall + (wall - wallTime(zone, from)))
  const newest = bucketsShown(undefined).at(-1)!
  showTime({ until: next < newest ? new Date(next).toISOString() : undefined })
}

/** Where what is shown begins and ends on the viewer's clock, milliseconds UTC. */
function shownTime(): { from: number; to: number } {
  const edges = bucketsShown(charts.until)
  return { from: edges[0]!, to: edges.at(-1)! }
}

function bucketsShown(until: string | undefined): readonly number[] {
  const { range, zone } = charts
  const now = Date.now()
  const asked = statisticsQuery({ range, until, zone }, chartedDevices(), now, systemTimeZone())
  return bucketsOf(range, asked.until ? Date.parse(asked.until) : now, systemTimeZone()).edges
}

/** By so many moments on screen; with `marking`, what lies between is marked. */
export function moveCursor(by: number, marking: boolean): void {
  if (marking) cursor.anchor ??= cursor.x
  else cursor.anchor = undefined
  cursor.chart ??= chartKinds[0].id
  cursor.x = stepAlong(visible(cursor.xs), cursor.x, by)
}

/** To the next notification, or to the one before. */
export function moveToMark(by: 1 | -1): void {
  cursor.anchor = undefined
  cursor.chart ??= chartKinds[0].id
  const places = [...new Set(cursor.marks.map(({ x }) => x))]
  cursor.x = stepAlong(visible(places), cursor.x, by) ?? cursor.x
}

const visible = (xs: readonly number[]): readonly number[] => {
  const { zoom } = charts
  return zoom ? xs.filter(x => x >= zoom.from && x <= zoom.to) : xs
}

/** About the cursor, or the middle where it is not on screen; as far as there is anything. */
export function zoomBy(factor: number): void {
  const shown = shownStretch()
  if (!shown) return
  const { x } = cursor
  const about = x !== undefined && x >= shown.from && x <= shown.to ? x : (shown.from + shown.to) / 2
  charts.zoom = zoomAround(cursor, shown, about, factor)
}

/** What of the axis is on screen; undefined while there is none. */
function shownStretch(): AxisRange | undefined {
  const { xs, end } = cursor
  return charts.zoom ?? (xs[0] === undefined ? undefined : { from: xs[0], to: end })
}

/** Zooms to what is marked; where nothing is, opens the notification at the cursor. */
export async function enter(services: Services): Promise<void> {
  const { anchor, x } = cursor
  cursor.anchor = undefined
  if (anchor === undefined)
    await showNotification(cursor.marks.findLast(mark => mark.x === x)?.notification._id, services)
  else zoomToMarked(anchor, x ?? anchor)
}

/** Zooms to what lies between two positions; to nothing shorter than a bucket. */
export function zoomToMarked(one: number, other: number): void {
  const shown = shownStretch()
  if (shown) charts.zoom = zoomToRange(cursor, shown, one, other)
}

/** Goes to a notification in the list of them. */
export async function showNotification(id: string | undefined, { go }: Services): Promise<void> {
  const mark = cursor.marks.find(({ notification }) => notification._id === id)
  if (!mark) return
  const { focusOn } = await import('../notifications/actions.ts')
  focusOn(mark.notification, true)
  go(routes.notifications.path)
}

export function enlarge(): void {
  charts.enlarged = charts.enlarged ? undefined : (cursor.chart ?? chartKinds[0].id)
}

export function goBack(): void {
  if (cursor.anchor !== undefined) cursor.anchor = undefined
  else if (charts.zoom) charts.zoom = undefined
  else if (charts.enlarged) charts.enlarged = undefined
  else cursor.x = undefined
}

export function toggleHidden(device: string): void {
  const { hidden } = charts
  charts.hidden = hidden.includes(device) ? hidden.filter(id => id !== device) : [...hidden, device]
}

/** As many as a person scrolls through by mouse. */
const maxListed = 100

export const selectedDevices: Choices = (_context, query) =>
  matching(
    query,
    selections.devices.items().map(({ id }) => id),
  ).slice(0, maxListed)

export const chartedChoices: Choices = (_context, query) => matching(query, chartedDevices())

/** Those of these devices whose id or company has the text; a device that is not selected has its id alone. */
function matching(query: string, bssids: readonly string[]): readonly Option[] {
  const wanted = query.trim().toLowerCase()
  const items = new Map(selections.devices.items().map(item => [item.id, item]))
  return bssids.flatMap(id => {
    const item = items.get(id) ?? { id, name: id }
    const company = 'company' in item ? item.company : ''
    if (!`${id} ${company}`.toLowerCase().includes(wanted)) return []
    return [{ value: id, name: item.name, ...(company && { detail: company }) }]
  })
}
