import type { DeviceDetail } from '../../api/contract/devices.ts'
import { allSettings, settingValues } from '../../api/contract/settings.ts'
import { noZone } from '../../commands/arguments/choices.ts'
import type { FormValues } from '../../commands/surfaces/list/ListPanel.tsx'

/** Returns the initial form values of a device's setting commands, by command id. */
export const settingsOf = (device: DeviceDetail): FormValues => ({
  ...Object.fromEntries(allSettings.map(([name, setting]) => [setting.command, settingValues(setting, device[name])])),
  'device.timeZone': {
    time_zone: device.time_zone === null ? noZone : { value: device.time_zone, name: device.time_zone },
  },
  'device.description': { description: device.description },
})
