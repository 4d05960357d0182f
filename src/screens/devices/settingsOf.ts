import type { Device } from '../../api/contract/devices.ts'
import { allSettings, settingValues } from '../../api/contract/settings.ts'
import { noSupply, noZone } from '../../commands/arguments/choices.ts'
import type { FormValues } from '../../commands/surfaces/list/ListPanel.tsx'

/** Returns the initial form values of a device's setting commands, by command id. */
export const settingsOf = (device: Device): FormValues => ({
  ...Object.fromEntries(allSettings.map(([name, setting]) => [setting.command, settingValues(setting, device[name])])),
  'device.timeZone': {
    time_zone: device.time_zone === null ? noZone : { value: device.time_zone, name: device.time_zone },
  },
  'device.waterSupply': {
    water_supply: device.water_supply === null ? noSupply : { value: device.water_supply, name: device.water_supply },
  },
  'device.description': { description: device.description },
})

/** Returns the form values that are the same for all devices; none if there are no devices. */
export function commonSettings(devices: readonly Device[]): FormValues {
  const [first, ...others] = devices.map(settingsOf)
  const isCommon = (command: string, field: string, value: unknown) =>
    others.every(other => JSON.stringify(other[command]?.[field]) === JSON.stringify(value))
  return Object.fromEntries(
    Object.entries(first ?? {}).map(([command, values]) => [
      command,
      Object.fromEntries(Object.entries(values).filter(([field, value]) => isCommon(command, field, value))),
    ]),
  )
}
