/** Files of what is charted or listed. What writes them is loaded with the first of them. */
import * as z from 'zod/mini'
import { labelled } from '../api/contract/fields.ts'
import { exportTypeNames, exportTypes } from '../domain/exportTable.ts'
import { deviceRoles, roles } from '../domain/roles.ts'
import { selections } from '../store/selection.ts'
import { defineCommand, type Needs } from './command.ts'
import { listedRows } from './needs.ts'

const type = labelled(z.enum(exportTypes), { label: 'File', names: exportTypes.map(one => exportTypeNames[one]) })
const columns = labelled(z.enum(['shown', 'all']), { label: 'Columns', names: ['Those shown', 'All there are'] })

const exporting = {
  icon: 'download',
  keywords: ['download', 'save', 'file', 'excel', 'xls', 'csv', 'json', 'txt'],
  doing: 'Exporting',
} as const

const selectedDevices: Needs<readonly string[]> = () => {
  const ids = selections.devices.items().map(({ id }) => id)
  return ids.length > 0 ? { target: ids } : { blocked: 'No devices selected' }
}

export const exportCommands = [
  defineCommand({
    ...exporting,
    id: 'list.export',
    title: 'Export the list',
    group: 'list',
    keys: 'e',
    on: ['toolbar'],
    roles,
    needs: listedRows,
    label: ({ list }) =>
      list?.count === undefined ? 'Export the list' : `Export all ${list.count.toLocaleString('en')}`,
    args: z.object({ type, columns }),
    run: async ({ entity, state }, chosen, services) =>
      (await import('./export/exportLists.ts')).exportList(entity, state, undefined, chosen, services),
  }),
  defineCommand({
    ...exporting,
    entity: 'devices',
    id: 'device.export',
    title: 'Export the selected devices',
    group: 'list',
    on: ['toolbar'],
    roles: deviceRoles,
    needs: selectedDevices,
    args: z.object({ type, columns }),
    run: async (ids, chosen, services) =>
      (await import('./export/exportLists.ts')).exportDevices(ids, chosen, services),
  }),
]
