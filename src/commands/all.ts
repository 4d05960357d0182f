/** All commands there are. Those that the first rows do without are loaded after them, so the list grows once. */
import { proxy } from 'valtio'
import type { Command } from './command.ts'

export const allCommands: Command[] = []
const byId = new Map<string, Command>()

/** Whether all are there. */
export const arrived = proxy({ all: false })

/** The command of that id, where there is one. */
export const commandWith = (id: string): Command | undefined => byId.get(id)

export function register(commands: readonly Command[]): void {
  allCommands.push(...commands)
  for (const command of commands) byId.set(command.id, command)
}
