import type { Command, ExecutionResult } from '../../core/types.ts'
import { execute, type ExecuteOptions } from '../../core/execution/execute.ts'
import type { Host } from '../../core/execution/host.ts'
import type { CommandId, InputOf } from '../../core/commandId.ts'
import { commandOf, findCommand, loadAllCommands } from '../../core/registry.ts'
import { beginPending } from '../../core/runs/pendingCommands.ts'

let host: Host | undefined
/** Sets the host in which commands run; called once, before the first render. */
export function setHost(next: Host): void {
  host = next
}

/** Runs a command by its id, once it has loaded; the input is typed by the id. */
export const run = <Id extends CommandId>(
  id: Id,
  options: ExecuteOptions<InputOf<Id>> = {},
): Promise<ExecutionResult> => (findCommand(id) ? runCommand(commandOf(id), options) : runWhenLoaded(id, options))

/** Runs a command that has not loaded yet. Keys that are pressed meanwhile are for what it opens. */
async function runWhenLoaded<Id extends CommandId>(
  id: Id,
  options: ExecuteOptions<InputOf<Id>>,
): Promise<ExecutionResult> {
  const endPending = beginPending()
  try {
    await loadAllCommands()
  } catch (error) {
    host?.failed(error)
    return { is: 'failed', error }
  } finally {
    endPending()
  }
  return runCommand(commandOf(id), options)
}

/** Runs a command, and counts its use unless it was cancelled. All surfaces call it: buttons, keys, forms and menus. */
export async function runCommand(command: Command, options: ExecuteOptions = {}): Promise<ExecutionResult> {
  if (!host) return { is: 'stopped' }
  const result = await execute(host, command, options)
  if (!command.keysOnly && (result.is === 'done' || result.is === 'failed')) void countUse(command.id, Date.now())
  return result
}

/** Counts a use for the order of the palette, whose code is not needed before it opens. */
async function countUse(id: string, now: number): Promise<void> {
  const recents = await import('../../palette/recents.ts').catch(() => undefined)
  // Without a connection, the use is not counted.
  recents?.recordUse(id, now)
}
