/**
 * The registry of all commands. The list changes: deferred commands are registered after the first rows have rendered,
 * and a person's scripts are registered and unregistered as commands. `registryState.version` counts the changes.
 */
import { proxy } from 'valtio'
import type { CommandId, InputOf } from './commandId.ts'
import type { Surface } from './presentation.ts'
import type { Command, DefinedCommand } from './types.ts'

const registeredCommands: Command[] = []
const byId = new Map<string, Command>()

export const commands: readonly Command[] = registeredCommands

/** `isComplete`: whether the deferred commands are loaded too. */
export const registryState = proxy({ isComplete: false, version: 0 })

/** Returns the command with this id, if there is one. */
export const findCommand = (id: string): Command | undefined => byId.get(id)

/** Returns the command with this id. Throws for an unknown id, which is a programming error. */
export function commandOf<Id extends CommandId>(id: Id): DefinedCommand<Id, InputOf<Id>> {
  const command = findCommand(id)
  if (!command) throw new Error(`There is no command ${id}`)
  // `InputOf` reads the input type from the definition with this id.
  return command as DefinedCommand<Id, InputOf<Id>>
}

/** Returns the commands of a surface, in the order of their definitions. */
export const commandsOn = (surface: Surface): readonly Command[] =>
  commands.filter(command => command.on.includes(surface))

export function register(added: readonly Command[]): void {
  registeredCommands.push(...added)
  for (const command of added) byId.set(command.id, command)
  registryState.version++
}

/** Registers all commands, in their order, in place of the first ones, which are among them. */
export function registerInstead(all: readonly Command[]): void {
  registeredCommands.length = 0
  register(all)
  registryState.isComplete = true
}

export function unregister(ids: ReadonlySet<string>): void {
  registeredCommands.splice(0, registeredCommands.length, ...registeredCommands.filter(({ id }) => !ids.has(id)))
  for (const id of ids) byId.delete(id)
  registryState.version++
}

let loadDeferred: () => Promise<void> = () => Promise.resolve()
let loading: Promise<void> | undefined

/** Sets the loader, which loads and registers the deferred commands. */
export function deferCommands(load: () => Promise<void>): void {
  loadDeferred = load
}

/** Resolves once the deferred commands are loaded. After a failure the next call retries. */
export function loadAllCommands(): Promise<void> {
  loading ??= loadDeferred().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
