/** Registers the commands that the first rows need, and defers loading the others. */
import { deferCommands, register } from './core/registry.ts'
import { deviceControlCommands } from './devices/control.ts'
import { deviceCommands } from './devices/commands.ts'
import { rowCommands } from './lists/rowCommands.ts'
import { listCommands } from './lists/commands.ts'
import { rowSelectionCommands } from './selection/rowCommands.ts'
import { navigateCommands } from './view/navigate.ts'
import { sessionCommands } from './people/session.ts'
import { viewCommands } from './view/view.ts'

const initialCommands = [
  ...deviceCommands,
  ...deviceControlCommands,
  ...rowCommands,
  ...rowSelectionCommands,
  ...listCommands,
  ...navigateCommands,
  ...viewCommands,
  ...sessionCommands,
]

declare module './core/commandId.ts' {
  interface CommandLists {
    first: typeof initialCommands
  }
}

register(initialCommands)
deferCommands(() => import('./deferredCommands.ts').then(({ registerDeferredCommands }) => registerDeferredCommands()))
