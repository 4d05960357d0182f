/**
 * All commands. Those that the first rows do without are loaded later, and a person's own scripts are commands that come
 * and go, so the list changes: `registryState.version` counts how often.
 */
import { proxy } from 'valtio'
import type { CommandId, InputOf } from './commandId.ts'
import type { Surface } from './presentation.ts'
import type { Command, DefinedCommand } from './types.ts'

const registered: Command[] = []
const byId = new Map<string, Command>()

export const commands: readonly Command[] = registered

/** Whether all are loaded. */
export const registryState = proxy({ all: false, version: 0 })

/** The command of that id, where there is one. */
export const findCommand = (id: string): Command | undefined => byId.get(id)

/** The command of that id; an unknown id is a mistake in the program. */
export function commandOf<Id extends CommandId>(id: Id): DefinedCommand<Id, InputOf<Id>> {
  const command = findCommand(id)
  if (!command) throw new Error(`There is no command ${id}`)
  // The type of the id is read from its definition.
  return command as DefinedCommand<Id, InputOf<Id>>
}

/** The commands of a surface, in the order of their definitions. */
export const commandsOn = (surface: Surface): readonly Command[] =>
  commands.filter(command => command.on.includes(surface))

export function register(added: readonly Command[]): void {
  registered.push(...added)
  for (const command of added) byId.set(command.id, command)
  registryState.version++
}

/** Takes commands away again. */
export function unregister(ids: ReadonlySet<string>): void {
  registered.splice(0, registered.length, ...registered.filter(({ id }) => !ids.has(id)))
  for (const id of ids) byId.delete(id)
  registryState.version++
}

let loadDeferred: () => Promise<void> = () => Promise.resolve()
let loading: Promise<void> | undefined

/** Sets what loads and registers the commands that the first rows do without. */
export function deferCommands(load: () => Promise<void>): void {
  loadDeferred = load
}

/** Resolves once all commands are loaded. After a failure the next call tries again. */
export function loadAllCommands(): Promise<void> {
  loading ??= loadDeferred().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
