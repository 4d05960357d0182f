/** The actions of chart commands: change the range, move the cursor, zoom. Loaded when a chart command first runs. */
import { deviceZones } from '../../api/statistics.ts'
import { earlierPeriod, laterPeriod, type Present } from '../../domain/charts/days.ts'
import { stepAlong } from '../../domain/charts/lines.ts'
import { chartKinds } from '../../domain/charts/charts.ts'
import { zoomAround, zoomToRange, type AxisRange } from '../../domain/charts/zoom.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { routes } from '../../domain/lists/routes.ts'
import { chartedDevices, charts, cursor, showTime } from '../../store/charts.ts'
import type { Choices, Services } from '../core/types.ts'
import { focusOn } from '../notifications/focus.ts'
import { deviceOptions } from '../selection/deviceChoices.ts'

/** Shows the calendar day, week, month or year before the one that is shown. */
export const showEarlier = (): void => showTime({ until: earlierPeriod(charts, present()) })

/** Shows the calendar day, week, month or year after the one that is shown, or the newest range. */
export const showLater = (): void => showTime({ until: laterPeriod(charts, present()) })

function present(): Present {
  const zone = systemTimeZone()
  const known = chartedDevices().flatMap(bssid => {
    const deviceZone = deviceZones[bssid]
    return deviceZone === undefined ? [] : [deviceZone ?? zone]
  })
  return { now: Date.now(), zone, deviceZones: charts.zone === 'device' ? known : [] }
}

/** Moves the cursor by `by` visible moments; with `marking`, the range that it passes is marked. */
export function moveCursor(by: number, marking: boolean): void {
  if (marking) cursor.anchor ??= cursor.x
  else cursor.anchor = undefined
  cursor.chart ??= chartKinds[0].id
  cursor.x = stepAlong(visiblePositions(cursor.xs), cursor.x, by)
}

/** Moves the cursor to the next or previous notification. */
export function moveToNotification(by: 1 | -1): void {
  cursor.anchor = undefined
  cursor.chart ??= chartKinds[0].id
  const positions = [...new Set(cursor.notifications.map(({ x }) => x))]
  cursor.x = stepAlong(visiblePositions(positions), cursor.x, by) ?? cursor.x
}

const visiblePositions = (xs: readonly number[]): readonly number[] => {
  const { zoom } = charts
  return zoom ? xs.filter(x => x >= zoom.from && x <= zoom.to) : xs
}

/** Zooms around the cursor, or around the middle if the cursor is not visible. Clamps the zoom to the axis. */
export function zoomBy(factor: number): void {
  const range = visibleRange()
  if (!range) return
  const { x } = cursor
  const center = x !== undefined && x >= range.from && x <= range.to ? x : (range.from + range.to) / 2
  charts.zoom = zoomAround(cursor, range, center, factor)
}

/** Returns the visible part of the time axis, or undefined while there is no axis. */
function visibleRange(): AxisRange | undefined {
  const { xs, end } = cursor
  return charts.zoom ?? (xs[0] === undefined ? undefined : { from: xs[0], to: end })
}

/** Zooms to the marked range, or opens the notification at the cursor if no range is marked. */
export function zoomOrOpen(services: Services): void {
  const { anchor, x } = cursor
  cursor.anchor = undefined
  if (anchor === undefined)
    showNotification(cursor.notifications.findLast(each => each.x === x)?.notification._id, services)
  else zoomBetween(anchor, x ?? anchor)
}

/** Zooms to the range between two positions, at least one bucket long. */
export function zoomBetween(from: number, to: number): void {
  const range = visibleRange()
  if (range) charts.zoom = zoomToRange(cursor, range, from, to)
}

/** Opens the notifications screen at a notification. */
export function showNotification(id: string | undefined, { go }: Services): void {
  const found = cursor.notifications.find(({ notification }) => notification._id === id)
  if (!found) return
  focusOn(found.notification, true)
  go(routes.notifications.path)
}

export function toggleEnlarged(): void {
  charts.enlargedChart = charts.enlargedChart ? undefined : (cursor.chart ?? chartKinds[0].id)
}

/** Clears the mark, or else the zoom, the enlargement, the highlight, or the cursor: one of them with each call. */
export function escape(): void {
  if (cursor.anchor !== undefined) cursor.anchor = undefined
  else if (charts.zoom) charts.zoom = undefined
  else if (charts.enlargedChart) charts.enlargedChart = undefined
  else if (charts.highlightedDevice !== undefined) charts.highlightedDevice = undefined
  else cursor.x = undefined
}

export function toggleHidden(device: string): void {
  const { hiddenDevices } = charts
  charts.hiddenDevices = hiddenDevices.includes(device)
    ? hiddenDevices.filter(id => id !== device)
    : [...hiddenDevices, device]
}

/** Makes a device's lines stand out; among small charts, its own has the values at the cursor. */
export function highlight(device: string): void {
  charts.highlightedDevice = device
  cursor.device = device
}

/** Makes a device's lines stand out, or no longer if they do. */
export function toggleHighlight(device: string): void {
  if (charts.highlightedDevice === device) charts.highlightedDevice = undefined
  else highlight(device)
}

export const chartedDeviceChoices: Choices = (_context, query) => deviceOptions(query, chartedDevices())
