import { useSnapshot } from 'valtio'
import type { Device } from '../../api/contract/devices.ts'
import { useDeviceHealth } from '../../api/health/deviceHealth.ts'
import { allSettings, settingValues } from '../../api/contract/settings.ts'
import { noSupply, noZone } from '../../commands/arguments/choices.ts'
import type { FormValues } from '../../commands/surfaces/list/ListPanel.tsx'
import { healthView } from '../../store/deviceHealth.ts'

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

/** Returns the initial form values of a device's commands, with the analysis of its water once its health has loaded. */
export function useFormValues(device: Device | undefined): FormValues | undefined {
  const { range } = useSnapshot(healthView)
  const { data } = useDeviceHealth(device?.bssid, range)
  if (!device) return undefined
  const water = data?.bssid === device.bssid ? data.health.water : null
  const settings = settingsOf(device)
  if (!water) return settings
  const { calcium_hardness, alkalinity, ph } = water
  return { ...settings, 'device.waterAnalysis': { calcium_hardness, alkalinity, ph } }
}

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
