/**
 * All commands there are. Those that the first rows do without are loaded after them, and a person's own scripts are
 * commands that come and go, so the list changes: `arrived.version` counts how often.
 */
import { proxy } from 'valtio'
import type { Command } from './command.ts'

export const allCommands: Command[] = []
const byId = new Map<string, Command>()

/** Whether all are there. */
export const registryState = proxy({ all: false, version: 0 })

/** The command of that id, where there is one. */
export const findCommand = (id: string): Command | undefined => byId.get(id)

export function register(commands: readonly Command[]): void {
  allCommands.push(...commands)
  for (const command of commands) byId.set(command.id, command)
  registryState.version++
}

/** Takes commands away again. */
export function unregister(ids: ReadonlySet<string>): void {
  allCommands.splice(0, allCommands.length, ...allCommands.filter(({ id }) => !ids.has(id)))
  for (const id of ids) byId.delete(id)
  registryState.version++
}
