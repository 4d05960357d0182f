/** Commands of the charts: time range, time zone, devices, appearance. */
import * as z from 'zod/mini'
import { devices } from '../../api/contract/devices.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { chartKinds } from '../../domain/charts/charts.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { bssidInPath, screenAt, routes } from '../../domain/lists/routes.ts'
import { currentPath } from '../../store/address.ts'
import { chartedDevices, charts, chosenAndSelected, cursor, maxCharted, showTime } from '../../store/charts.ts'
import { jumpToTime } from '../../store/chartJump.ts'
import { isPlaceholder, selections, type AnyItem } from '../../store/selection.ts'
import { chartCursorCommands } from './cursor.ts'
import { chartsCommand, chartsKeyCommand, loadActions, onChartsWhen, runAction } from './needs.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices } from '../core/types.ts'
import { nothing } from '../core/needs.ts'
import { someDevices } from '../core/targetNeeds.ts'
import { selectedDeviceChoices } from '../selection/deviceChoices.ts'

const chartedDeviceChoices: Choices = async (...args) => (await loadActions()).chartedDeviceChoices(...args)
const whenInPast = onChartsWhen(() => charts.until !== undefined, 'This is the newest range')

/** Whether a target of a command is selected, also by the followed search. The device of a device screen may match it or not. */
const isSelected = (target: AnyItem): boolean =>
  selections.devices.has(target.id) ||
  isPlaceholder(target) ||
  (selections.devices.covers() && bssidInPath(currentPath()) === undefined)

const ranges = ['day', 'week', 'month', 'year'] as const

export const chartCommands = [
  ...ranges.map((range, index) =>
    defineCommand({
      ...chartsCommand,
      id: `charts.${range}`,
      title: `Show ${range}`,
      on: ['chartsRange'],
      icon: 'chart',
      keys: String(index + 1),
      keywords: ['charts', 'range', 'statistics'],
      needs: nothing,
      run(_, __, { go }) {
        showTime({ range })
        if (screenAt(currentPath()) !== 'charts') go(routes.charts.path)
      },
    }),
  ),
  defineCommand({
    ...chartsCommand,
    id: 'charts.earlier',
    title: 'Earlier',
    icon: 'left',
    keys: '[',
    on: ['chartsTime', 'status'],
    short: 'earlier',
    run: runAction(actions => actions.showEarlier()),
  }),
  defineCommand({
    ...chartsCommand,
    id: 'charts.later',
    title: 'Later',
    icon: 'right',
    keys: ']',
    on: ['chartsTime', 'status'],
    short: 'later',
    needs: whenInPast,
    run: runAction(actions => actions.showLater()),
  }),
  defineCommand({
    ...chartsCommand,
    id: 'charts.now',
    title: 'Now',
    on: ['chartsTime'],
    icon: 'today',
    keys: 'n',
    keywords: ['today', 'newest', 'latest'],
    needs: whenInPast,
    run: () => showTime({ until: undefined }),
  }),
  defineCommand({
    ...chartsCommand,
    id: 'charts.zone',
    title: 'Switch between your time zone and each device’s own',
    on: ['chartsMore'],
    icon: 'clock',
    keys: 'o',
    keywords: ['clock', 'local time'],
    run: () => showTime({ zone: charts.zone === 'viewer' ? 'device' : 'viewer' }),
  }),
  defineCommand({
    ...chartsCommand,
    id: 'charts.table',
    title: 'Switch between lines and table',
    on: ['chartsShow'],
    icon: 'columns',
    keys: 'd',
    keywords: ['data', 'values', 'numbers'],
    run() {
      charts.table = !charts.table
    },
  }),
  defineCommand({
    ...chartsCommand,
    id: 'charts.layout',
    title: 'Toggle small charts per device',
    on: ['chartsShow'],
    icon: 'grid',
    keys: 'shift+d',
    keywords: ['common charts', 'small multiples', 'layout', 'split', 'compare'],
    needs: onChartsWhen(() => chartedDevices().length > 1, 'There is only one device'),
    run() {
      charts.layout = charts.layout === 'together' ? 'device' : 'together'
    },
  }),
  defineCommand({
    ...chartsCommand,
    id: 'charts.enlarge',
    on: ['status'],
    short: 'enlarge',
    title: 'Enlarge one chart, or show all charts',
    icon: 'enlarge',
    keys: 'm',
    keywords: ['maximise', 'single', 'alone'],
    run: runAction(actions => actions.toggleEnlarged()),
  }),
  defineCommand({
    ...chartsCommand,
    id: 'charts.pick',
    title: 'Go to chart',
    icon: 'chart',
    keys: 'shift+g',
    args: z.object({
      chart: withMeta(z.enum(chartKinds.map(({ id }) => id)), {
        label: 'Chart',
        names: chartKinds.map(({ title }) => title),
      }),
    }),
    run(_, { chart }, { scrollTo }) {
      cursor.chart = chart
      if (charts.enlargedChart !== undefined) charts.enlargedChart = chart
      scrollTo(`chart-${chart}`)
    },
  }),
  defineCommand({
    ...chartsCommand,
    id: 'charts.devices',
    title: 'Choose selected devices to chart',
    icon: 'device',
    keys: 'c',
    on: ['chartsDevices'],
    args: z.object({
      devices: withMeta(z.array(z.string()).check(z.minLength(1), z.maxLength(maxCharted)), { label: 'Devices' }),
    }),
    choices: { devices: selectedDeviceChoices },
    run(_, { devices: chosen }) {
      Object.assign(charts, { onlyDevice: undefined, chosenDevices: [...new Set(chosen)] })
    },
  }),
  defineCommand({
    ...chartsCommand,
    id: 'charts.selected',
    title: 'Chart all selected devices',
    icon: 'select',
    on: ['chartsDevices'],
    needs: onChartsWhen(
      () => charts.onlyDevice !== undefined || chosenAndSelected().length > 0,
      'All selected devices are charted',
    ),
    run() {
      Object.assign(charts, { onlyDevice: undefined, chosenDevices: [] })
    },
  }),
  defineCommand({
    ...chartsKeyCommand,
    id: 'charts.hide',
    title: 'Hide or show device lines',
    keys: 'h',
    args: z.object({ device: withMeta(z.string(), { label: 'Device' }) }),
    choices: { device: chartedDeviceChoices },
    run: (_, { device }) => runAction(actions => actions.toggleHidden(device))(),
  }),
  defineCommand({
    ...chartsKeyCommand,
    id: 'charts.highlight',
    title: 'Highlight device lines or stop',
    keys: 'shift+h',
    args: z.object({ device: withMeta(z.string(), { label: 'Device' }) }),
    choices: { device: chartedDeviceChoices },
    run: (_, { device }) => runAction(actions => actions.toggleHighlight(device))(),
  }),
  ...chartCursorCommands,
  defineCommand({
    id: 'charts.show',
    title: 'Show device charts at time',
    group: 'insight',
    keysOnly: true,
    roles: deviceRoles,
    needs: nothing,
    args: z.object({ device: z.optional(z.string()), at: z.optional(z.iso.datetime()) }),
    run(_, { device, at }, { go }) {
      charts.onlyDevice = device
      if (at) jumpToTime(at)
      go(routes.charts.path)
    },
  }),
  defineCommand({
    entity: 'devices',
    id: 'device.charts',
    title: 'Show charts',
    // Sensor failures are visible in the charts.
    suggestedFor: [11, 12, 13, 14, 15, 16, 17],
    group: 'insight',
    icon: 'chart',
    keys: 'p',
    keywords: ['charts', 'plot', 'graph', 'statistics'],
    on: ['control', 'row', 'device'],
    endpoint: devices.detail,
    needs: someDevices,
    run(targets, _, { go }) {
      // The command on a row or a device screen charts that device; on the whole selection, all selected devices.
      const areSelected = targets.length === selections.devices.size && targets.every(isSelected)
      charts.onlyDevice = areSelected ? undefined : targets[0]?.id
      go(routes.charts.path)
    },
  }),
]
