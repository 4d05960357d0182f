/** The charts: which stretch of time, whose clock, which devices, the cursor, the zoom. */
import * as z from 'zod/mini'
import { devices } from '../api/contract/devices.ts'
import { labelled } from '../api/contract/fields.ts'
import { deviceRoles } from '../domain/roles.ts'
import { placeOf, routes } from '../domain/routes.ts'
import { charts, cursor, mostCharted, showTime } from '../store/charts.ts'
import { selections } from '../store/selection.ts'
import type * as chartMoves from './chartMoves.ts'
import { defineCommand, type Choices, type Needs } from './command.ts'
import { nothing, someDevices } from './needs.ts'

/** Not in the first load: nothing moves before a chart is there. */
const moves = (move: (by: typeof chartMoves) => void) => () => import('./chartMoves.ts').then(move)
const selectedDevices: Choices = (...asked) => import('./chartMoves.ts').then(found => found.selectedDevices(...asked))

/** On the charts' screen, while something holds, or else the reason why not. */
const whileHere =
  (holds: () => boolean, reason: string): Needs<undefined> =>
  ({ path }) => {
    if (placeOf(path) !== 'charts') return { blocked: 'Open the charts first' }
    return holds() ? { target: undefined } : { blocked: reason }
  }
const onCharts = whileHere(() => true, '')
const inThePast = whileHere(() => charts.until !== undefined, 'This is the newest there is')
const whileZoomed = whileHere(() => charts.zoom !== undefined, 'All of it is shown')

const offered = { group: 'insight', place: 'charts', roles: deviceRoles, needs: onCharts, on: ['charts'] } as const
const byKey = { ...offered, keysOnly: true } as const

const ranges = ['day', 'week', 'month', 'year'] as const

const cursorSteps = [
  ['right', 'next moment', 'ArrowRight', 1],
  ['left', 'moment before', 'ArrowLeft', -1],
  ['forward', 'tenth moment from here', 'PageDown', 10],
  ['back', 'tenth moment before', 'PageUp', -10],
  ['first', 'first moment', 'Home', -Infinity],
  ['last', 'last moment', 'End', Infinity],
] as const

export const chartCommands = [
  ...ranges.map((range, place) =>
    defineCommand({
      ...offered,
      id: `charts.${range}`,
      title: `Charts of a ${range}`,
      icon: 'chart',
      keys: String(place + 1),
      keywords: ['range', 'statistics'],
      needs: nothing,
      run(_, __, { go }) {
        showTime({ range })
        if (placeOf(window.location.pathname) !== 'charts') go(routes.charts.path)
      },
    }),
  ),
  defineCommand({
    ...offered,
    id: 'charts.earlier',
    title: 'Earlier',
    icon: 'left',
    keys: '[',
    on: ['charts', 'status'],
    short: 'earlier',
    run: moves(to => to.showEarlier()),
  }),
  defineCommand({
    ...offered,
    id: 'charts.later',
    title: 'Later',
    icon: 'right',
    keys: ']',
    on: ['charts', 'status'],
    short: 'later',
    needs: inThePast,
    run: moves(to => to.showLater()),
  }),
  defineCommand({
    ...offered,
    id: 'charts.now',
    title: 'Now',
    icon: 'today',
    keys: 'n',
    keywords: ['today', 'newest', 'latest'],
    needs: inThePast,
    run: () => showTime({ until: undefined }),
  }),
  defineCommand({
    ...offered,
    id: 'charts.zone',
    title: 'Your clock, or each device’s own',
    icon: 'clock',
    keys: 'o',
    keywords: ['time zone', 'local time'],
    run: () => showTime({ zone: charts.zone === 'viewer' ? 'device' : 'viewer' }),
  }),
  defineCommand({
    ...offered,
    id: 'charts.table',
    title: 'Lines, or a table of numbers',
    icon: 'columns',
    keys: 'd',
    keywords: ['data', 'values'],
    run() {
      charts.table = !charts.table
    },
  }),
  defineCommand({
    ...offered,
    id: 'charts.enlarge',
    on: ['charts', 'status'],
    short: 'enlarge',
    title: 'One chart alone, or all of them',
    icon: 'enlarge',
    keys: 'm',
    keywords: ['enlarge', 'maximise', 'single'],
    run: moves(to => to.enlarge()),
  }),
  defineCommand({
    ...offered,
    id: 'charts.devices',
    title: 'Choose which of the selected devices are charted',
    icon: 'device',
    keys: 'c',
    needs: whileHere(() => selections.devices.size > 0, 'No devices selected'),
    args: z.object({
      devices: labelled(z.array(z.string()).check(z.minLength(1), z.maxLength(mostCharted)), { label: 'Devices' }),
    }),
    choices: { devices: selectedDevices },
    run(_, { devices: chosen }) {
      Object.assign(charts, { only: undefined, chosen: [...chosen] })
    },
  }),
  defineCommand({
    ...offered,
    id: 'charts.selected',
    title: 'Show the selected devices again',
    icon: 'select',
    needs: whileHere(() => charts.only !== undefined || charts.chosen.length > 0, 'They are shown'),
    run() {
      Object.assign(charts, { only: undefined, chosen: [] })
    },
  }),
  defineCommand({
    ...byKey,
    id: 'charts.hide',
    title: 'Hide a device’s lines, or show them',
    keys: 'h',
    args: z.object({ device: labelled(z.string(), { label: 'Device' }) }),
    choices: { device: selectedDevices },
    run: (_, { device }) => moves(to => to.toggleHidden(device))(),
  }),
  defineCommand({
    ...offered,
    id: 'charts.zoomIn',
    title: 'Zoom in',
    icon: 'zoomIn',
    keys: '+',
    run: moves(to => to.zoomBy(0.5)),
  }),
  defineCommand({
    ...offered,
    id: 'charts.zoomOut',
    title: 'Zoom out',
    icon: 'zoomOut',
    keys: '-',
    needs: whileZoomed,
    run: moves(to => to.zoomBy(2)),
  }),
  defineCommand({
    ...offered,
    id: 'charts.zoomReset',
    title: 'Reset the zoom',
    icon: 'reset',
    keys: '0',
    needs: whileZoomed,
    run() {
      charts.zoom = undefined
    },
  }),
  ...cursorSteps.flatMap(([name, to, key, by]) =>
    [false, true].map(marking =>
      defineCommand({
        ...byKey,
        ...((name === 'left' || name === 'right') && { on: ['charts', 'status'], short: marking ? 'mark' : 'cursor' }),
        id: `charts.${name}${marking ? 'Marked' : ''}`,
        title: `${marking ? 'Mark up' : 'Cursor'} to the ${to}`,
        keys: marking ? `shift+${key}` : key,
        run: moves(({ moveCursor }) => moveCursor(by, marking)),
      }),
    ),
  ),
  defineCommand({
    ...byKey,
    id: 'charts.nextNotification',
    on: ['charts', 'status'],
    short: 'notification',
    title: 'Cursor to the next notification',
    keys: 'j',
    run: moves(to => to.moveToMark(1)),
  }),
  defineCommand({
    ...byKey,
    id: 'charts.previousNotification',
    title: 'Cursor to the notification before',
    keys: 'k',
    run: moves(to => to.moveToMark(-1)),
  }),
  defineCommand({
    ...byKey,
    id: 'charts.zoomMarked',
    title: 'Zoom to what is marked',
    keys: 'Enter',
    needs: whileHere(() => cursor.anchor !== undefined, 'Mark a stretch first: Shift with the arrow keys'),
    run: moves(to => to.zoomToMarked()),
  }),
  defineCommand({
    ...byKey,
    id: 'charts.escape',
    title: 'Undo the mark, the zoom, the enlargement, the cursor',
    keys: 'Escape',
    run: moves(to => to.goBack()),
  }),
  defineCommand({
    id: 'charts.show',
    title: 'Show a device’s charts at a moment',
    group: 'insight',
    keysOnly: true,
    on: ['toast'],
    roles: deviceRoles,
    needs: nothing,
    args: z.object({ device: z.optional(z.string()), at: z.optional(z.iso.datetime()) }),
    run(_, { device, at }, { go }) {
      charts.only = device
      // The moment itself is to be shown, also one at which a day begins.
      if (at) showTime({ range: 'day', until: new Date(Date.parse(at) + 1).toISOString(), at })
      go(routes.charts.path)
    },
  }),
  defineCommand({
    entity: 'devices',
    id: 'device.charts',
    title: 'Charts',
    group: 'insight',
    icon: 'chart',
    keys: 'p',
    keywords: ['plot', 'graph', 'statistics'],
    on: ['control', 'row'],
    endpoint: devices.detail,
    needs: someDevices,
    run(targets, _, { go }) {
      // What is selected is charted as it is; a row or a device's own screen stands for itself.
      const { size, has } = selections.devices
      const areSelected = targets.length === size && targets.every(({ id }) => has(id))
      charts.only = areSelected ? undefined : targets[0]?.id
      go(routes.charts.path)
    },
  }),
]
