/** All commands, in one array. */
import { accountCommands } from './accounts.ts'
import { allCommands } from './all.ts'
import { calendarCommands } from './calendar.ts'
import { chartCommands } from './charts.ts'
import { deviceControlCommands } from './deviceControl.ts'
import { deviceCommands } from './devices.ts'
import { deviceScreenCommands } from './deviceScreen.ts'
import { deviceSettingsCommands } from './deviceSettings.ts'
import type { Command, Surface } from './command.ts'
import { exportCommands } from './exports.ts'
import { filtrationCommands } from './filtration.ts'
import { firmwareCommands } from './firmware.ts'
import { keyBindingCommands } from './keyBindings.ts'
import { modelCommands } from './models.ts'
import { listCommands } from './lists.ts'
import { rowCommands } from './listRows.ts'
import { navigateCommands } from './navigate.ts'
import { notificationCommands } from './notifications.ts'
import { profileCommands } from './profile.ts'
import { repeatCommands } from './repeat.ts'
import { sessionCommands } from './session.ts'
import { viewCommands } from './view.ts'

export const commands: readonly Command[] = [
  ...deviceCommands,
  ...deviceControlCommands,
  ...deviceSettingsCommands,
  ...modelCommands,
  ...filtrationCommands,
  ...firmwareCommands,
  ...accountCommands,
  // What keys mean on one screen comes before what they mean in every list.
  ...deviceScreenCommands,
  ...chartCommands,
  ...calendarCommands,
  ...notificationCommands,
  ...exportCommands,
  ...rowCommands,
  ...listCommands,
  ...navigateCommands,
  ...viewCommands,
  ...keyBindingCommands,
  ...repeatCommands,
  ...profileCommands,
  ...sessionCommands,
]

allCommands.push(...commands)
const byId = new Map<string, Command>(commands.map(command => [command.id, command]))

/** The command of that id; an unknown id is a mistake in the program. */
export function commandOf(id: string): Command {
  const command = byId.get(id)
  if (!command) throw new Error(`There is no command ${id}`)
  return command
}

export const commandsOn = (surface: Surface): readonly Command[] =>
  commands.filter(command => command.on.includes(surface))
