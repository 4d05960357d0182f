/** Commands that export charts, notifications and lists. The export code is loaded when one first runs. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { exportTypeNames, exportTypes } from '../../domain/exportTable.ts'
import { formatMatches } from '../../domain/format.ts'
import { deviceRoles, roles } from '../../domain/roles.ts'
import { screenAt } from '../../domain/lists/routes.ts'
import { chartedDevices } from '../../store/charts.ts'
import { notificationsView } from '../../store/notificationsView.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Needs } from '../core/types.ts'
import { listedMatches } from '../core/needs.ts'
import { devicesSelected } from '../core/targetNeeds.ts'
import { materializeSelection } from '../selection/materialize.ts'

const type = withMeta(z.enum(exportTypes), { label: 'File', names: exportTypes.map(one => exportTypeNames[one]) })
const columns = withMeta(z.enum(['shown', 'all']), { label: 'Columns', names: ['Shown columns', 'All columns'] })

const exportCommand = {
  icon: 'download',
  keywords: ['download', 'save', 'file', 'excel', 'xls', 'csv', 'json', 'txt'],
  progressTitle: 'Exporting',
} as const

const chartsWithDevices: Needs<undefined> = ({ path }) => {
  if (screenAt(path) !== 'charts') return { blocked: 'Open the charts first' }
  return chartedDevices().length > 0 ? { target: undefined } : { blocked: 'No devices selected' }
}

const listedNotifications: Needs<undefined> = ({ path }) => {
  if (screenAt(path) !== 'notifications') return { blocked: 'Open the notifications first' }
  // An undefined count means that the list is still loading; the export reads it from the server itself.
  return notificationsView.count === 0 ? { blocked: 'The list is empty' } : { target: undefined }
}

export const exportCommands = [
  // Commands of a single screen come before the list's command, because they share its key.
  defineCommand({
    ...exportCommand,
    id: 'charts.export',
    selection: 'reads',
    title: 'Export charts',
    group: 'insight',
    keys: 'e',
    screen: 'charts',
    on: ['chartsShow'],
    roles: deviceRoles,
    needs: chartsWithDevices,
    args: z.object({ type }),
    run: async (_, options, services) => (await import('./exportCharts.ts')).exportCharts(options, services),
  }),
  defineCommand({
    ...exportCommand,
    id: 'notification.export',
    selection: 'reads',
    title: 'Export notifications',
    group: 'insight',
    keys: 'e',
    screen: 'notifications',
    on: ['notifications'],
    roles: deviceRoles,
    needs: listedNotifications,
    args: z.object({ type }),
    run: async (_, options, services) =>
      (await import('./exportNotifications.ts')).exportNotifications(options, services),
  }),
  defineCommand({
    ...exportCommand,
    id: 'list.export',
    title: 'Export list',
    on: ['listMore', 'listExport'],
    group: 'list',
    inList: true,
    keys: 'e',
    roles,
    needs: listedMatches,
    label: ({ list }) =>
      list?.count === undefined ? 'Export list' : `Export all ${formatMatches(list.count, list.isEstimate)}`,
    args: z.object({ type, columns }),
    run: async ({ entity, state }, options, services) =>
      (await import('./exportLists.ts')).exportList(entity, state, undefined, options, services),
  }),
  defineCommand({
    ...exportCommand,
    entity: 'devices',
    id: 'device.export',
    title: 'Export selected devices',
    on: ['listMore', 'listExport'],
    group: 'list',
    roles: deviceRoles,
    needs: devicesSelected('No devices selected'),
    args: z.object({ type, columns }),
    async run(_, options, services) {
      const items = await materializeSelection('devices', services.progress)
      const { exportDevices } = await import('./exportLists.ts')
      return exportDevices(
        items.map(({ id }) => id),
        options,
        services,
      )
    },
  }),
]
