import type { DeviceDetail } from '../../api/contract/devices.ts'
import { noZone } from '../../commands/arguments/choices.ts'
import type { FormValues } from '../../commands/surfaces/list/ListPanel.tsx'

/** What a device's settings are now, as the values of the commands that set them. */
export const settingsOf = (device: DeviceDetail): FormValues => ({
  'device.autoFlush': device.flush,
  'device.idleProtection': { duration: device.idle_protection },
  'device.bypass': device.bypass,
  'device.uv': { mode: device.uv },
  'device.timeZone': {
    time_zone: device.time_zone === null ? noZone : { value: device.time_zone, name: device.time_zone },
  },
  'device.description': { description: device.description },
})
