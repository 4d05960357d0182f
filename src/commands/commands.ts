/** All commands: those that the first rows are shown with, and once they are loaded the others. */
import { allCommands, findCommand, register } from './core/registry.ts'
import type { Command } from './core/command.ts'
import type { Surface } from './core/presentation.ts'
import { deviceControlCommands } from './devices/control.ts'
import { deviceCommands } from './devices/commands.ts'
import { rowCommands } from './lists/rowCommands.ts'
import { listCommands } from './lists/commands.ts'
import { rowSelectionCommands } from './selection/rowCommands.ts'
import { navigateCommands } from './view/navigate.ts'
import { sessionCommands } from './people/session.ts'
import { viewCommands } from './view/view.ts'

register([
  ...deviceCommands,
  ...deviceControlCommands,
  ...rowCommands,
  ...rowSelectionCommands,
  ...listCommands,
  ...navigateCommands,
  ...viewCommands,
  ...sessionCommands,
])

export const commands: readonly Command[] = allCommands

let others: Promise<void> | undefined
/** Resolves once all commands are there; loads those that are not. A failure is forgotten: who asks next tries again. */
export function loadAllCommands(): Promise<void> {
  others ??= import('./deferredCommands.ts').then(
    ({ registerDeferredCommands: registerLater }) => registerLater(),
    (error: unknown) => {
      others = undefined
      throw error
    },
  )
  return others
}

/** The command of that id; an unknown id is a mistake in the program. */
export function commandOf(id: string): Command {
  const command = findCommand(id)
  if (!command) throw new Error(`There is no command ${id}`)
  return command
}

export const commandsOn = (surface: Surface): readonly Command[] =>
  commands.filter(command => command.on.includes(surface))
