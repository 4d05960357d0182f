/** Commands that find, open, preview and upload devices. */
import * as z from 'zod/mini'
import { devices } from '../../api/contract/devices.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { itemOf } from '../../api/lists.ts'
import { findDevices } from '../../api/search.ts'
import { messages } from '../../domain/messages.ts'
import { screenAt, routes, type ScreenId } from '../../domain/lists/routes.ts'
import { currentPath } from '../../store/address.ts'
import { charts } from '../../store/charts.ts'
import { lists, setSearch, setSearchBy } from '../../store/lists.ts'
import { layout, setPanel } from '../../store/layout.ts'
import { selections } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Needs } from '../core/types.ts'
import { uploadPresentation } from '../core/wording.ts'
import { nothing } from '../core/needs.ts'
import { someDevices } from '../core/targetNeeds.ts'

/** Screens with content for the selected devices; selecting a device there does not navigate to the devices list. */
export const showsSelected: ReadonlySet<ScreenId> = new Set<ScreenId>(['calendar', 'charts', 'notifications'])

/** The focused row if several devices are selected, or else the first; the other ones become its neighbours. */
const deviceToOpen: Needs<{ readonly id: string }> = ({ targets, list }) => {
  const all = targets('devices')
  const [first] = all
  if (!first) return { blocked: messages.chooseDevice }
  const focusedRow = all.length > 1 && list?.rows.find(row => row.id === list.focus.id)
  return { target: focusedRow || first }
}

export const deviceCommands = [
  defineCommand({
    id: 'device.find',
    title: 'Find and select device',
    group: 'list',
    selection: 'changes',
    icon: 'search',
    keys: '@',
    keywords: ['search', 'pick', 'bssid'],
    on: ['chartsDevices'],
    endpoint: devices.list,
    needs: nothing,
    args: z.object({ device: z.string() }),
    choices: {
      device: async (_context, query, signal) =>
        (await findDevices(query, signal)).map(device => ({
          value: device.bssid,
          name: device.bssid,
          detail: [device.description, device.vendor.company_name].filter(Boolean).join(' · '),
        })),
    },
    async run(_, { device: bssid }, { call, go, progress }) {
      const device = itemOf('devices', await call(devices.detail, { params: { bssid } }))
      if (selections.devices.query)
        await (await import('../selection/materialize.ts')).materializeSelection('devices', progress)
      selections.devices.add([device], 'a found device')
      const screen = screenAt(currentPath())
      if (screen === 'charts') charts.onlyDevice = undefined
      if (screen !== undefined && showsSelected.has(screen)) return
      layout.panelTab = 'info'
      // The panel opens on the screen that is open then.
      if (screen !== 'devices') go(routes.devices.path)
      setPanel(true)
    },
  }),
  defineCommand({
    id: 'device.show',
    title: 'Show devices with exactly this value',
    group: 'list',
    keysOnly: true,
    endpoint: devices.list,
    needs: nothing,
    args: z.object({ column: z.string(), search: z.string() }),
    run(_, { column, search }, { go }) {
      setSearch(lists.devices, search)
      setSearchBy(lists.devices, { column, operator: 'eq' })
      go(routes.devices.path)
    },
  }),
  defineCommand({
    entity: 'devices',
    id: 'device.open',
    title: 'Open device',
    suggestedFor: [3],
    group: 'control',
    icon: 'device',
    keys: ['Enter', 'o'],
    keywords: ['detail', 'show'],
    on: ['row'],
    endpoint: devices.detail,
    needs: deviceToOpen,
    run: (device, _, { go }) => go(`/devices/${device.id}`),
  }),
  defineCommand({
    entity: 'devices',
    id: 'device.preview',
    title: 'Preview in side panel',
    group: 'control',
    icon: 'panel',
    keys: 'Space',
    endpoint: devices.detail,
    needs: someDevices,
    run() {
      layout.panelTab = 'info'
      setPanel(true)
    },
  }),
  defineCommand({
    ...uploadPresentation,
    entity: 'devices',
    id: 'device.upload',
    title: 'Upload devices',
    endpoint: devices.upload,
    needs: nothing,
    args: z.object({ file: withMeta(z.file(), { label: 'File', template: 'devices', inParts: true }) }),
    run: async (_, { file }, services) => (await import('./upload.ts')).uploadDevices(file, services),
    progressTitle: 'Uploading',
  }),
]
