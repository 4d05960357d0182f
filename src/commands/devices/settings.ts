/** What is set on devices. */
import * as z from 'zod/mini'
import { DeviceEdit, devices } from '../../api/contract/devices.ts'
import { labelled } from '../../api/contract/fields.ts'
import { Bypass, FlushSettings, IdleProtection, Uv } from '../../api/contract/settings.ts'
import { zoneChoices } from '../arguments/choices.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { aboutDevices, onDevices, updated } from './wording.ts'
import { bulkOperation } from '../core/execution/operation.ts'
import { oneDevice } from '../core/needs.ts'
import { previousValues } from '../core/runs/previousValues.ts'

/** A setting may be left as it is, but not all of them. */
const someOf = <Shape extends z.core.$ZodLooseShape>(settings: z.ZodMiniObject<Shape>) =>
  z
    .partial(settings)
    .check(z.refine(values => Object.values(values).some(value => value !== undefined), 'Choose at least one setting'))

export const deviceSettingsCommands = [
  defineCommand({
    ...onDevices,
    id: 'device.autoFlush',
    title: 'Auto-flush',
    group: 'settings',
    icon: 'flush',
    keys: 's f',
    keywords: ['smart flush', 'flush settings', 'rinse'],
    on: ['settings'],
    endpoint: devices.setFlush,
    args: someOf(FlushSettings),
    operation: settings => bulkOperation(devices.setFlush, settings),
    undo: input => ({ id: 'device.autoFlush', input }),
    doing: 'Updating settings',
    done: updated,
  }),
  defineCommand({
    ...onDevices,
    id: 'device.idleProtection',
    title: 'Idle protection',
    group: 'settings',
    icon: 'timer',
    keys: 's i',
    keywords: ['stagnation'],
    on: ['settings'],
    endpoint: devices.setIdleProtection,
    args: IdleProtection,
    operation: settings => bulkOperation(devices.setIdleProtection, settings),
    undo: input => ({ id: 'device.idleProtection', input }),
    doing: 'Updating settings',
    done: updated,
  }),
  defineCommand({
    ...onDevices,
    id: 'device.bypass',
    title: 'Bypass',
    group: 'settings',
    icon: 'bypass',
    keys: 's b',
    keywords: ['mix', 'mineral'],
    on: ['settings'],
    endpoint: devices.setBypass,
    args: someOf(Bypass),
    operation: settings => bulkOperation(devices.setBypass, settings),
    undo: input => ({ id: 'device.bypass', input }),
    doing: 'Updating settings',
    done: updated,
  }),
  defineCommand({
    ...onDevices,
    id: 'device.uv',
    title: 'UV module',
    group: 'settings',
    icon: 'uv',
    keys: 's u',
    keywords: ['ultraviolet', 'lamp', 'disinfection'],
    on: ['settings'],
    endpoint: devices.setUv,
    args: Uv,
    operation: settings => bulkOperation(devices.setUv, settings),
    undo: input => ({ id: 'device.uv', input }),
    doing: 'Updating settings',
    done: updated,
  }),
  defineCommand({
    ...aboutDevices,
    id: 'device.timeZone',
    title: 'Time zone',
    group: 'settings',
    icon: 'clock',
    keys: 's z',
    keywords: ['where it stands', 'clock', 'local time'],
    on: ['settings'],
    endpoint: devices.setTimeZone,
    args: z.object({ time_zone: labelled(devices.setTimeZone.body.shape.time_zone, { label: 'Time zone' }) }),
    choices: { time_zone: zoneChoices },
    operation: ({ time_zone }) => bulkOperation(devices.setTimeZone, { time_zone }),
    undo: input => ({ id: 'device.timeZone', input }),
    doing: 'Updating settings',
    done: updated,
  }),
  defineCommand({
    entity: 'devices',
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
    async run({ id: bssid }, changes, { call }) {
      const earlier = await call(devices.detail, { params: { bssid } })
      await call(devices.edit, { params: { bssid }, body: changes })
      return { message: 'Description updated', before: previousValues(bssid, changes, earlier) }
    },
    undo: input => ({ id: 'device.description', input }),
  }),
]
