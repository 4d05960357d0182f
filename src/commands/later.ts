/** The commands that the first rows do without. */
import { accountCommands } from './accounts.ts'
import { calendarCommands } from './calendar.ts'
import { chartCommands } from './charts.ts'
import type { Command } from './command.ts'
import { deviceScreenCommands } from './deviceScreen.ts'
import { exportCommands } from './exports.ts'
import { filtrationCommands } from './filtration.ts'
import { firmwareCommands } from './firmware.ts'
import { keyBindingCommands } from './keyBindings.ts'
import { modelCommands } from './models.ts'
import { notificationCommands } from './notifications.ts'
import { profileCommands } from './profile.ts'

export const laterCommands: readonly Command[] = [
  ...modelCommands,
  ...filtrationCommands,
  ...firmwareCommands,
  ...accountCommands,
  ...deviceScreenCommands,
  ...chartCommands,
  ...calendarCommands,
  ...notificationCommands,
  ...exportCommands,
  ...keyBindingCommands,
  ...profileCommands,
]
