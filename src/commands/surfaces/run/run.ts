import type { Command, ExecutionResult } from '../../core/types.ts'
import { execute, type ExecuteOptions } from '../../core/execution/execute.ts'
import type { Host } from '../../core/execution/host.ts'
import { recordUse } from '../../palette/recents.ts'
import type { CommandId, InputOf } from '../../core/commandId.ts'
import { commandOf } from '../../core/registry.ts'

let host: Host | undefined
/** Hands over the world in which commands run; done once, before anything is shown. */
export function setHost(next: Host): void {
  host = next
}

/** Runs the command of that id, with an input of its own. */
export const run = <Id extends CommandId>(id: Id, given: ExecuteOptions<InputOf<Id>> = {}): Promise<ExecutionResult> =>
  runCommand(commandOf(id), given)

/** Runs a command: what every button, key, form and menu calls. */
export async function runCommand(command: Command, given: ExecuteOptions = {}): Promise<ExecutionResult> {
  if (!host) return { is: 'stopped' }
  if (!command.keysOnly) recordUse(command.id, Date.now())
  return execute(host, command, given)
}
