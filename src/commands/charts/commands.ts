/** The charts: which stretch of time, whose clock, which devices, the cursor, the zoom. */
import * as z from 'zod/mini'
import { devices } from '../../api/contract/devices.ts'
import { labelled } from '../../api/contract/fields.ts'
import { chartKinds } from '../../domain/charts/charts.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { placeOf, routes } from '../../domain/lists/routes.ts'
import { currentPath } from '../../store/address.ts'
import { charts, cursor, maxCharted, showTime, visitMoment } from '../../store/charts.ts'
import { selections } from '../../store/selection.ts'
import { chartCursorCommands } from './cursor.ts'
import { moves, byKey, offered, whileHere } from './needs.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices } from '../core/types.ts'
import { nothing, someDevices } from '../core/needs.ts'

const selectedDevices: Choices = async (...asked) => (await import('./actions.ts')).selectedDevices(...asked)
const charted: Choices = async (...asked) => (await import('./actions.ts')).chartedChoices(...asked)
const inThePast = whileHere(() => charts.until !== undefined, 'This is the newest there is')

const ranges = ['day', 'week', 'month', 'year'] as const

export const chartCommands = [
  ...ranges.map((range, place) =>
    defineCommand({
      ...offered,
      id: `charts.${range}`,
      title: `Charts of a ${range}`,
      on: ['chartsRange'],
      icon: 'chart',
      keys: String(place + 1),
      keywords: ['range', 'statistics'],
      needs: nothing,
      run(_, __, { go }) {
        showTime({ range })
        if (placeOf(currentPath()) !== 'charts') go(routes.charts.path)
      },
    }),
  ),
  defineCommand({
    ...offered,
    id: 'charts.earlier',
    title: 'Earlier',
    icon: 'left',
    keys: '[',
    on: ['chartsTime', 'status'],
    short: 'earlier',
    run: moves(to => to.showEarlier()),
  }),
  defineCommand({
    ...offered,
    id: 'charts.later',
    title: 'Later',
    icon: 'right',
    keys: ']',
    on: ['chartsTime', 'status'],
    short: 'later',
    needs: inThePast,
    run: moves(to => to.showLater()),
  }),
  defineCommand({
    ...offered,
    id: 'charts.now',
    title: 'Now',
    on: ['chartsTime'],
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
    on: ['chartsShow'],
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
    on: ['status'],
    short: 'enlarge',
    title: 'One chart alone, or all of them',
    icon: 'enlarge',
    keys: 'm',
    keywords: ['enlarge', 'maximise', 'single'],
    run: moves(to => to.enlarge()),
  }),
  defineCommand({
    ...offered,
    id: 'charts.pick',
    title: 'Go to a chart',
    icon: 'chart',
    keys: 'shift+g',
    args: z.object({
      chart: labelled(z.enum(chartKinds.map(({ id }) => id)), {
        label: 'Chart',
        names: chartKinds.map(({ title }) => title),
      }),
    }),
    run(_, { chart }, { scrollTo }) {
      cursor.chart = chart
      if (charts.enlarged !== undefined) charts.enlarged = chart
      scrollTo(`chart-${chart}`)
    },
  }),
  defineCommand({
    ...offered,
    id: 'charts.devices',
    title: 'Choose which of the selected devices are charted',
    icon: 'device',
    keys: 'c',
    args: z.object({
      devices: labelled(z.array(z.string()).check(z.minLength(1), z.maxLength(maxCharted)), { label: 'Devices' }),
    }),
    choices: { devices: selectedDevices },
    run(_, { devices: chosen }) {
      Object.assign(charts, { only: undefined, chosen: [...new Set(chosen)] })
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
    choices: { device: charted },
    run: (_, { device }) => moves(to => to.toggleHidden(device))(),
  }),
  ...chartCursorCommands,
  defineCommand({
    id: 'charts.show',
    title: 'Show a device’s charts at a moment',
    group: 'insight',
    keysOnly: true,
    roles: deviceRoles,
    needs: nothing,
    args: z.object({ device: z.optional(z.string()), at: z.optional(z.iso.datetime()) }),
    run(_, { device, at }, { go }) {
      charts.only = device
      if (at) visitMoment(at)
      go(routes.charts.path)
    },
  }),
  defineCommand({
    entity: 'devices',
    id: 'device.charts',
    title: 'Charts',
    // A sensor that fails is seen on a chart.
    suggestedFor: [11, 12, 13, 14, 15, 16, 17],
    group: 'insight',
    icon: 'chart',
    keys: 'p',
    keywords: ['plot', 'graph', 'statistics'],
    on: ['control', 'row', 'device'],
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
