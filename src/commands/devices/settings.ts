/** Commands that change the settings, time zone, water supply and description of devices. */
import * as z from 'zod/mini'
import { DeviceEdit, devices } from '../../api/contract/devices.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { onlyField, settingEndpoints, settings, type Setting, type SettingValues } from '../../api/contract/settings.ts'
import type { SettingName } from '../../api/contract/settingStates.ts'
import { supplyChoices, zoneChoices } from '../arguments/choices.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { IconName } from '../../domain/iconName.ts'
import { deviceRecordCommand, deviceCommand, settingsUpdatedMessage } from './shared.ts'
import { bulkOperation } from '../core/execution/operation.ts'
import { oneDevice } from '../core/targetNeeds.ts'
import { previousValues } from '../core/runs/previousValues.ts'

/** Returns the schema with a check that at least one of its fields has a value. */
const requireAnyField = <Change extends z.ZodMiniObject>(change: Change): Change =>
  change.check(
    z.refine(values => Object.values(values).some(value => value !== undefined), 'Choose at least one setting'),
  )

/** Returns the command that changes a setting; `presentation` has its icon, keys and palette keywords. */
function settingCommand<const Command extends Setting['command'], Change extends z.ZodMiniObject>(
  name: SettingName,
  setting: Setting & { readonly command: Command; readonly change: Change },
  presentation: { readonly icon: IconName; readonly keys: string; readonly keywords: readonly string[] },
) {
  const endpoint = settingEndpoints[`set_${name}`]
  return defineCommand({
    ...deviceCommand,
    ...presentation,
    id: setting.command,
    title: setting.title,
    group: 'settings',
    on: ['settings'],
    endpoint,
    args: onlyField(setting) === undefined ? requireAnyField(setting.change) : setting.change,
    operation: values => bulkOperation(endpoint, values as SettingValues),
    undo: input => ({ id: setting.command, input }),
    progressTitle: 'Updating settings',
    done: settingsUpdatedMessage,
  })
}

export const deviceSettingsCommands = [
  settingCommand('flush', settings.flush, {
    icon: 'flush',
    keys: 's f',
    keywords: ['smart flush', 'flush settings', 'rinse'],
  }),
  settingCommand('idle_protection', settings.idle_protection, {
    icon: 'timer',
    keys: 's i',
    keywords: ['stagnation'],
  }),
  settingCommand('bypass', settings.bypass, { icon: 'bypass', keys: 's b', keywords: ['mix', 'mineral'] }),
  settingCommand('uv', settings.uv, { icon: 'uv', keys: 's u', keywords: ['ultraviolet', 'lamp', 'disinfection'] }),
  defineCommand({
    ...deviceRecordCommand,
    id: 'device.timeZone',
    title: 'Change time zone',
    group: 'settings',
    icon: 'clock',
    keys: 's z',
    keywords: ['time zone', 'where it stands', 'clock', 'local time'],
    on: ['settings'],
    endpoint: devices.setTimeZone,
    args: z.object({ time_zone: withMeta(devices.setTimeZone.body.shape.time_zone, { label: 'Time zone' }) }),
    choices: { time_zone: zoneChoices },
    operation: ({ time_zone }) => bulkOperation(devices.setTimeZone, { time_zone }),
    undo: input => ({ id: 'device.timeZone', input }),
    progressTitle: 'Updating settings',
    done: settingsUpdatedMessage,
  }),
  defineCommand({
    ...deviceRecordCommand,
    id: 'device.waterSupply',
    title: 'Set water supply',
    group: 'settings',
    icon: 'supply',
    keys: 's s',
    keywords: ['water supply', 'feed water', 'waterworks', 'neighbours', 'label'],
    on: ['settings'],
    endpoint: devices.setWaterSupply,
    args: z.object({
      water_supply: withMeta(devices.setWaterSupply.body.shape.water_supply, { label: 'Water supply' }),
    }),
    choices: { water_supply: supplyChoices },
    operation: ({ water_supply }) => bulkOperation(devices.setWaterSupply, { water_supply }),
    undo: input => ({ id: 'device.waterSupply', input }),
    progressTitle: 'Updating settings',
    done: settingsUpdatedMessage,
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
      const previous = await call(devices.detail, { params: { bssid } })
      await call(devices.edit, { params: { bssid }, body: changes })
      return { message: 'Description updated', before: previousValues(bssid, changes, previous) }
    },
    undo: input => ({ id: 'device.description', input }),
  }),
]
