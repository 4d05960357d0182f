/** What makes devices do something. */
import * as z from 'zod/mini'
import { DeviceEdit, devices } from '../../api/contract/devices.ts'
import type { PreviousValues } from '../../api/contract/endpoint.ts'
import { overlay } from '../../store/overlays.ts'
import { defineCommand } from '../core/command.ts'
import type { Invocation } from '../core/runs/outcome.ts'
import { onDevices, updated } from './wording.ts'
import { bulkOperation } from '../core/execution/operation.ts'
import { asks, countOf, deleting, doneOf } from '../core/wording.ts'
import { oneDevice, someDevices } from '../core/needs.ts'

const earlierLock = ({ locked }: PreviousValues['values']): Invocation => ({
  id: locked === true ? 'device.lock' : 'device.unlock',
  input: {},
})

export const deviceControlCommands = [
  defineCommand({
    ...onDevices,
    id: 'device.flush',
    title: 'Flush',
    group: 'control',
    icon: 'flush',
    keys: 'f',
    keywords: ['rinse', 'wash membrane'],
    on: ['control', 'row', 'status'],
    short: 'flush',
    endpoint: devices.flush,
    operation: () => bulkOperation(devices.flush, {}),
    doing: 'Flushing',
    done: doneOf('Flushing', 'devices'),
  }),
  defineCommand({
    ...onDevices,
    id: 'device.lock',
    title: 'Lock',
    group: 'control',
    icon: 'lock',
    keys: 'l',
    keywords: ['vendor lock', 'disable'],
    on: ['control', 'row', 'status'],
    short: 'lock',
    endpoint: devices.lock,
    operation: () => bulkOperation(devices.lock, { locked: true }),
    undo: earlierLock,
    doing: 'Locking',
    done: doneOf('Locked', 'devices'),
  }),
  defineCommand({
    ...onDevices,
    id: 'device.unlock',
    title: 'Unlock',
    group: 'control',
    icon: 'unlock',
    keys: 'u',
    keywords: ['vendor lock', 'enable'],
    on: ['control', 'row'],
    endpoint: devices.lock,
    operation: () => bulkOperation(devices.lock, { locked: false }),
    undo: earlierLock,
    doing: 'Unlocking',
    done: doneOf('Unlocked', 'devices'),
  }),
  defineCommand({
    entity: 'devices',
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
    ...onDevices,
    id: 'device.valve',
    title: 'Valve',
    group: 'control',
    icon: 'valve',
    keys: 'v',
    keywords: ['close water', 'open water', 'shut off'],
    on: ['control', 'row'],
    endpoint: devices.setValve,
    args: z.pick(DeviceEdit, { valve_closed: true }),
    confirm: (targets, { valve_closed }) =>
      valve_closed
        ? asks('Close the valve of', 'No water flows through a closed valve.', 'devices', targets.length)
        : asks('Open the valve of', 'Water flows again at once.', 'devices', targets.length),
    operation: ({ valve_closed }) => bulkOperation(devices.setValve, { valve_closed }),
    undo: ({ valve_closed }) => ({ id: 'device.valve', input: { valve_closed } }),
    doing: 'Turning valves',
    done: updated,
  }),
  defineCommand({
    ...onDevices,
    id: 'device.reboot',
    title: 'Reboot',
    group: 'control',
    icon: 'power',
    keys: 'b',
    keywords: ['restart'],
    on: ['control', 'row'],
    endpoint: devices.reboot,
    confirm: targets => asks('Reboot', 'They give no water until they are up again.', 'devices', targets.length),
    operation: () => bulkOperation(devices.reboot, {}),
    doing: 'Rebooting',
    done: doneOf('Rebooting', 'devices'),
  }),
  defineCommand({
    ...onDevices,
    id: 'device.resetSettings',
    title: 'Reset settings',
    group: 'control',
    icon: 'reset',
    keys: 'shift+r',
    keywords: ['defaults'],
    on: ['control'],
    endpoint: devices.reset,
    confirm: targets =>
      asks('Reset the settings of', 'All of their settings go back to the defaults.', 'devices', targets.length),
    operation: () => bulkOperation(devices.reset, { scope: 'settings' }),
    doing: 'Resetting',
    done: updated,
  }),
  defineCommand({
    ...onDevices,
    id: 'device.resetFactory',
    title: 'Factory reset',
    group: 'control',
    icon: 'factory',
    keys: 'shift+f',
    keywords: ['wipe', 'defaults'],
    on: ['control'],
    danger: true,
    endpoint: devices.reset,
    confirm: targets =>
      asks('Factory-reset', 'They return to the state in which they left the factory.', 'devices', targets.length),
    operation: () => bulkOperation(devices.reset, { scope: 'factory' }),
    doing: 'Resetting',
    done: doneOf('Reset', 'devices'),
  }),
  defineCommand({
    ...deleting,
    entity: 'devices',
    id: 'device.delete',
    endpoint: devices.delete,
    needs: someDevices,
    confirm: targets => ({
      title: `Delete ${countOf(targets.length, 'devices')}`,
      text: 'Their readings, events and sharing codes go with them.',
      action: `Delete ${countOf(targets.length, 'devices')}`,
      type: 'DELETE',
      danger: true,
    }),
    operation: () => bulkOperation(devices.delete, {}),
    doing: 'Deleting',
    done: doneOf('Deleted', 'devices'),
  }),
]
