/** Commands that control devices: flush, lock, valve, reboot, reset, share, delete. */
import * as z from 'zod/mini'
import { DeviceEdit, devices } from '../../api/contract/devices.ts'
import type { PreviousValues } from '../../api/contract/endpoint.ts'
import { overlay } from '../../store/overlays.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Invocation } from '../core/runs/outcome.ts'
import { deviceCommand, settingsUpdatedMessage } from './shared.ts'
import { bulkOperation } from '../core/execution/operation.ts'
import { confirmQuestion, countOf, deletePresentation, doneMessage, nameOrCount } from '../core/wording.ts'
import { chosenDevice, someDevices } from '../core/targetNeeds.ts'

/** Returns the command that puts back the previous lock state. */
const restoreLock = ({ locked }: PreviousValues['values']): Invocation => ({
  id: locked === true ? 'device.lock' : 'device.unlock',
  input: {},
})

export const deviceControlCommands = [
  defineCommand({
    ...deviceCommand,
    id: 'device.flush',
    title: 'Flush',
    suggestedFor: [8],
    group: 'control',
    icon: 'flush',
    keys: 'f',
    effect: 'flush',
    keywords: ['rinse', 'wash membrane'],
    on: ['control', 'row', 'device', 'status'],
    short: 'flush',
    endpoint: devices.flush,
    operation: () => bulkOperation(devices.flush, {}),
    progressTitle: 'Flushing',
    done: doneMessage('Flushing', 'devices'),
  }),
  defineCommand({
    ...deviceCommand,
    id: 'device.lock',
    title: 'Lock',
    group: 'control',
    icon: 'lock',
    keys: 'l',
    effect: 'lock',
    keywords: ['vendor lock', 'disable'],
    on: ['control', 'row', 'device', 'status'],
    short: 'lock',
    endpoint: devices.lock,
    operation: () => bulkOperation(devices.lock, { locked: true }),
    undo: restoreLock,
    progressTitle: 'Locking',
    done: doneMessage('Locked', 'devices'),
  }),
  defineCommand({
    ...deviceCommand,
    id: 'device.unlock',
    title: 'Unlock',
    group: 'control',
    icon: 'unlock',
    keys: 'u',
    effect: 'unlock',
    keywords: ['vendor lock', 'enable'],
    on: ['control', 'row', 'device'],
    endpoint: devices.lock,
    operation: () => bulkOperation(devices.lock, { locked: false }),
    undo: restoreLock,
    progressTitle: 'Unlocking',
    done: doneMessage('Unlocked', 'devices'),
  }),
  defineCommand({
    entity: 'devices',
    id: 'device.share',
    title: 'Share',
    group: 'control',
    icon: 'share',
    keys: 'h',
    keywords: ['code', 'qr', 'app', 'user'],
    on: ['control', 'row', 'device', 'status'],
    short: 'share',
    endpoint: devices.share,
    needs: chosenDevice,
    async run(device, _, { call }) {
      const { code, expires_at } = await call(devices.share, { params: { bssid: device.id } })
      overlay.share = { bssid: device.id, code, expiresAt: expires_at }
    },
  }),
  defineCommand({
    ...deviceCommand,
    id: 'device.valve',
    title: 'Open or close valve',
    suggestedFor: [4, 18],
    group: 'control',
    icon: 'valve',
    keys: 'v',
    keywords: ['valve', 'close water', 'open water', 'shut off', 'stop water'],
    on: ['control', 'row', 'device'],
    endpoint: devices.setValve,
    args: z.pick(DeviceEdit, { valve_closed: true }),
    confirm: (targets, { valve_closed }) =>
      valve_closed
        ? confirmQuestion('Close the valve of', 'No water flows through a closed valve.', 'devices', targets)
        : confirmQuestion('Open the valve of', 'Water flows again at once.', 'devices', targets),
    operation: ({ valve_closed }) => bulkOperation(devices.setValve, { valve_closed }),
    undo: ({ valve_closed }) => ({ id: 'device.valve', input: { valve_closed } }),
    progressTitle: 'Turning valves',
    done: settingsUpdatedMessage,
  }),
  defineCommand({
    ...deviceCommand,
    id: 'device.reboot',
    title: 'Reboot',
    suggestedFor: [5, 10],
    group: 'control',
    icon: 'power',
    keys: 'b',
    effect: 'reboot',
    keywords: ['restart'],
    on: ['control', 'row'],
    endpoint: devices.reboot,
    confirm: targets => confirmQuestion('Reboot', 'Devices supply no water while they restart.', 'devices', targets),
    operation: () => bulkOperation(devices.reboot, {}),
    progressTitle: 'Rebooting',
    done: doneMessage('Rebooting', 'devices'),
  }),
  defineCommand({
    ...deviceCommand,
    id: 'device.resetSettings',
    title: 'Reset settings',
    suggestedFor: [5],
    group: 'control',
    icon: 'reset',
    keys: 'shift+r',
    effect: 'reset',
    keywords: ['defaults'],
    on: ['control'],
    endpoint: devices.reset,
    confirm: targets =>
      confirmQuestion('Reset the settings of', 'All settings are reset to their defaults.', 'devices', targets),
    operation: () => bulkOperation(devices.reset, { scope: 'settings' }),
    progressTitle: 'Resetting',
    done: settingsUpdatedMessage,
  }),
  defineCommand({
    ...deviceCommand,
    id: 'device.resetFactory',
    title: 'Factory reset',
    group: 'control',
    icon: 'factory',
    keys: 'shift+f',
    effect: 'reset',
    keywords: ['wipe', 'defaults'],
    on: ['control'],
    danger: true,
    endpoint: devices.reset,
    confirm: targets =>
      confirmQuestion('Factory-reset', 'Devices are reset to their factory state.', 'devices', targets),
    operation: () => bulkOperation(devices.reset, { scope: 'factory' }),
    progressTitle: 'Resetting',
    done: doneMessage('Reset', 'devices'),
  }),
  defineCommand({
    ...deletePresentation,
    entity: 'devices',
    id: 'device.delete',
    endpoint: devices.delete,
    needs: someDevices,
    confirm: targets => ({
      title: `Delete ${nameOrCount(targets, 'devices')}?`,
      text: 'Their readings, events and sharing codes are deleted too.',
      action: `Delete ${countOf(targets.length, 'devices')}`,
      type: 'DELETE',
      danger: true,
    }),
    operation: () => bulkOperation(devices.delete, {}),
    progressTitle: 'Deleting',
    done: doneMessage('Deleted', 'devices'),
  }),
]
