/** What can be done to devices. */
import * as z from 'zod/mini'
import { DeviceEdit, devices } from '../api/contract/devices.ts'
import { Bypass, FlushSettings, IdleProtection, Uv } from '../api/contract/settings.ts'
import { offline } from '../domain/device.ts'
import { messages } from '../domain/messages.ts'
import { layout, setPanel } from '../store/layout.ts'
import { overlay } from '../store/overlays.ts'
import { selection, type Pickable } from '../store/selection.ts'
import { findDevices } from '../api/search.ts'
import { defineCommand, type Outcome } from './command.ts'
import { pickable } from './context.ts'
import { nothing, oneDevice, someDevices } from './needs.ts'

const idsOf = (targets: readonly Pickable[]) => targets.map(device => device.id)
export const countOf = (count: number, noun = 'device') =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
const updated = (outcome: Outcome, total: number) => messages.settingsUpdated(outcome.done.length, total)
const doneOf = (verb: string) => (outcome: Outcome, total: number) =>
  `${verb} ${outcome.done.length.toLocaleString('en')} of ${countOf(total)}`

/** `7 now · 3 offline would be skipped`; nothing where none is known to be offline. */
function reachable(targets: readonly Pickable[]): string | undefined {
  const away = targets.filter(device => device.status === offline).length
  return away === 0 ? undefined : `${targets.length - away} now · ${away} offline would be skipped`
}

/** A setting may be left as it is, but not all of them. */
const someOf = <Shape extends z.core.$ZodLooseShape>(settings: z.ZodMiniObject<Shape>) =>
  z
    .partial(settings)
    .check(z.refine(values => Object.values(values).some(value => value !== undefined), 'Choose at least one setting'))

const asks = (title: string, text: string, targets: readonly Pickable[]) => ({
  title: `${title} ${countOf(targets.length)}?`,
  text,
  action: `${title} ${countOf(targets.length)}`,
  type: undefined,
  danger: true,
})

export const deviceCommands = [
  defineCommand({
    id: 'device.find',
    title: 'Find and select a device',
    group: 'list',
    icon: 'search',
    keys: '@',
    keywords: ['search', 'pick', 'bssid'],
    on: [],
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
    async run(_, { device: bssid }, { call, go }) {
      selection.add([pickable(await call(devices.detail, { params: { bssid } }))])
      layout.panelTab = 'info'
      setPanel(true)
      if (window.location.pathname !== '/devices') go('/devices')
    },
  }),
  defineCommand({
    id: 'device.open',
    title: 'Open the device',
    group: 'control',
    icon: 'device',
    keys: ['Enter', 'o'],
    keywords: ['detail', 'show'],
    on: ['row', 'table'],
    endpoint: devices.detail,
    needs: oneDevice,
    run: (device, _, { go }) => go(`/devices/${device.id}`),
  }),
  defineCommand({
    id: 'device.preview',
    title: 'Preview in the side panel',
    group: 'control',
    icon: 'panel',
    keys: 'Space',
    on: ['table'],
    endpoint: devices.detail,
    needs: someDevices,
    run() {
      layout.panelTab = 'info'
      setPanel(true)
    },
  }),
  defineCommand({
    id: 'device.flush',
    title: 'Flush',
    group: 'control',
    icon: 'flush',
    keys: 'f',
    keywords: ['rinse', 'wash membrane'],
    on: ['control', 'row', 'status'],
    short: 'flush',
    endpoint: devices.flush,
    needs: someDevices,
    preview: reachable,
    run: (targets, _, { call, inChunks }) => inChunks(idsOf(targets), ids => call(devices.flush, { body: { ids } })),
    doing: 'Flushing',
    done: doneOf('Flushing'),
    repeatable: true,
  }),
  defineCommand({
    id: 'device.lock',
    title: 'Lock',
    group: 'control',
    icon: 'lock',
    keys: 'l',
    keywords: ['vendor lock', 'disable'],
    on: ['control', 'row', 'status'],
    short: 'lock',
    endpoint: devices.lock,
    needs: someDevices,
    preview: reachable,
    run: (targets, _, { call, inChunks }) =>
      inChunks(idsOf(targets), ids => call(devices.lock, { body: { ids, locked: true } })),
    doing: 'Locking',
    done: doneOf('Locked'),
    repeatable: true,
  }),
  defineCommand({
    id: 'device.unlock',
    title: 'Unlock',
    group: 'control',
    icon: 'unlock',
    keys: 'u',
    keywords: ['vendor lock', 'enable'],
    on: ['control', 'row'],
    endpoint: devices.lock,
    needs: someDevices,
    preview: reachable,
    run: (targets, _, { call, inChunks }) =>
      inChunks(idsOf(targets), ids => call(devices.lock, { body: { ids, locked: false } })),
    doing: 'Unlocking',
    done: doneOf('Unlocked'),
    repeatable: true,
  }),
  defineCommand({
    id: 'device.share',
    title: 'Share',
    group: 'control',
    icon: 'share',
    keys: 'h',
    keywords: ['code', 'qr', 'app', 'user'],
    on: ['control', 'row', 'status'],
    short: 'share',
    endpoint: devices.share,
    needs: oneDevice,
    async run(device, _, { call }) {
      const { code, expires_at } = await call(devices.share, { params: { bssid: device.id } })
      overlay.share = { bssid: device.id, code, expiresAt: expires_at }
    },
  }),
  defineCommand({
    id: 'device.valve',
    title: 'Valve',
    group: 'control',
    icon: 'valve',
    keys: 'v',
    keywords: ['close water', 'open water', 'shut off'],
    on: ['control', 'row'],
    endpoint: devices.edit,
    needs: someDevices,
    preview: reachable,
    args: z.pick(DeviceEdit, { valve_closed: true }),
    confirm: (targets, { valve_closed }) =>
      valve_closed
        ? asks('Close the valve of', 'No water flows through a closed valve.', targets)
        : asks('Open the valve of', 'Water flows again at once.', targets),
    run: (targets, { valve_closed }, { call, forEach }) =>
      forEach(idsOf(targets), bssid => call(devices.edit, { params: { bssid }, body: { valve_closed } })),
    doing: 'Turning valves',
    done: updated,
    repeatable: true,
  }),
  defineCommand({
    id: 'device.reboot',
    title: 'Reboot',
    group: 'control',
    icon: 'power',
    keys: 'b',
    keywords: ['restart'],
    on: ['control', 'row'],
    endpoint: devices.reboot,
    needs: someDevices,
    preview: reachable,
    confirm: targets => asks('Reboot', 'They give no water until they are up again.', targets),
    run: (targets, _, { call, inChunks }) => inChunks(idsOf(targets), ids => call(devices.reboot, { body: { ids } })),
    doing: 'Rebooting',
    done: doneOf('Rebooting'),
    repeatable: true,
  }),
  defineCommand({
    id: 'device.resetSettings',
    title: 'Reset settings',
    group: 'control',
    icon: 'reset',
    keys: 'shift+r',
    keywords: ['defaults'],
    on: ['control'],
    endpoint: devices.reset,
    needs: someDevices,
    preview: reachable,
    confirm: targets =>
      asks(
        'Reset the settings of',
        'Flush, idle protection, bypass and UV go back to their defaults. This can’t be undone.',
        targets,
      ),
    run: (targets, _, { call, inChunks }) =>
      inChunks(idsOf(targets), ids => call(devices.reset, { body: { ids, scope: 'settings' } })),
    doing: 'Resetting',
    done: updated,
    repeatable: true,
  }),
  defineCommand({
    id: 'device.resetFactory',
    title: 'Factory reset',
    group: 'control',
    icon: 'factory',
    keys: 'shift+f',
    keywords: ['wipe', 'defaults'],
    on: ['control'],
    danger: true,
    endpoint: devices.reset,
    needs: someDevices,
    preview: reachable,
    confirm: targets =>
      asks('Factory-reset', 'They return to the state in which they left the factory. This can’t be undone.', targets),
    run: (targets, _, { call, inChunks }) =>
      inChunks(idsOf(targets), ids => call(devices.reset, { body: { ids, scope: 'factory' } })),
    doing: 'Resetting',
    done: doneOf('Reset'),
    repeatable: true,
  }),
  defineCommand({
    id: 'device.delete',
    title: 'Delete',
    group: 'control',
    icon: 'trash',
    keys: ['Backspace', 'Delete'],
    keywords: ['remove'],
    on: ['control', 'row'],
    danger: true,
    endpoint: devices.delete,
    needs: someDevices,
    confirm: targets => ({
      title: `Delete ${countOf(targets.length)}`,
      text: 'Their readings, events and sharing codes go with them. This can’t be undone.',
      action: `Delete ${countOf(targets.length)}`,
      type: 'DELETE',
      danger: true,
    }),
    async run(targets, _, { call, inChunks }) {
      const outcome = await inChunks(idsOf(targets), ids => call(devices.delete, { body: { ids } }))
      selection.remove(outcome.done)
      return outcome
    },
    doing: 'Deleting',
    done: doneOf('Deleted'),
  }),
  defineCommand({
    id: 'device.autoFlush',
    title: 'Auto-flush',
    group: 'settings',
    icon: 'flush',
    keys: 's f',
    keywords: ['smart flush', 'flush settings', 'rinse'],
    on: ['settings'],
    endpoint: devices.setFlush,
    needs: someDevices,
    preview: reachable,
    args: someOf(FlushSettings),
    run: (targets, settings, { call, inChunks }) =>
      inChunks(idsOf(targets), ids => call(devices.setFlush, { body: { ids, ...settings } })),
    doing: 'Updating settings',
    done: updated,
    repeatable: true,
  }),
  defineCommand({
    id: 'device.idleProtection',
    title: 'Idle protection',
    group: 'settings',
    icon: 'timer',
    keys: 's i',
    keywords: ['stagnation'],
    on: ['settings'],
    endpoint: devices.setIdleProtection,
    needs: someDevices,
    preview: reachable,
    args: IdleProtection,
    run: (targets, settings, { call, inChunks }) =>
      inChunks(idsOf(targets), ids => call(devices.setIdleProtection, { body: { ids, ...settings } })),
    doing: 'Updating settings',
    done: updated,
    repeatable: true,
  }),
  defineCommand({
    id: 'device.bypass',
    title: 'Bypass',
    group: 'settings',
    icon: 'bypass',
    keys: 's b',
    keywords: ['mix', 'mineral'],
    on: ['settings'],
    endpoint: devices.setBypass,
    needs: someDevices,
    preview: reachable,
    args: someOf(Bypass),
    run: (targets, settings, { call, inChunks }) =>
      inChunks(idsOf(targets), ids => call(devices.setBypass, { body: { ids, ...settings } })),
    doing: 'Updating settings',
    done: updated,
    repeatable: true,
  }),
  defineCommand({
    id: 'device.uv',
    title: 'UV module',
    group: 'settings',
    icon: 'uv',
    keys: 's u',
    keywords: ['ultraviolet', 'lamp', 'disinfection'],
    on: ['settings'],
    endpoint: devices.setUv,
    needs: someDevices,
    preview: reachable,
    args: Uv,
    run: (targets, settings, { call, inChunks }) =>
      inChunks(idsOf(targets), ids => call(devices.setUv, { body: { ids, ...settings } })),
    doing: 'Updating settings',
    done: updated,
    repeatable: true,
  }),
  defineCommand({
    id: 'device.description',
    title: 'Edit description',
    group: 'settings',
    icon: 'edit',
    keys: 's d',
    keywords: ['update', 'rename', 'note'],
    on: ['update'],
    endpoint: devices.edit,
    needs: oneDevice,
    args: z.pick(DeviceEdit, { description: true }),
    async run(device, { description }, { call }) {
      await call(devices.edit, { params: { bssid: device.id }, body: { description } })
      return 'Description updated'
    },
  }),
  defineCommand({
    id: 'device.upload',
    title: 'Upload devices',
    group: 'create',
    icon: 'upload',
    keys: 'c',
    keywords: ['create', 'add', 'import', 'csv', 'excel', 'file'],
    on: ['create', 'toolbar'],
    endpoint: devices.upload,
    needs: nothing,
    args: z.object({ file: z.file() }),
    async run(_, { file }, { call }) {
      const { created } = await call(devices.upload, { file })
      return `Created ${countOf(created)}`
    },
    doing: 'Uploading',
  }),
]
