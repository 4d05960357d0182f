import type { Command, ExecutionResult } from '../../core/types.ts'
import { execute, type ExecuteOptions } from '../../core/execution/execute.ts'
import type { Host } from '../../core/execution/host.ts'
import { noteUse } from '../../palette/recents.ts'
import { commandOf } from '../../core/registry.ts'

let host: Host | undefined
/** Hands over the world in which commands run; done once, before anything is shown. */
export function setHost(next: Host): void {
  host = next
}

/** Runs a command by its id: what every button, key, form and menu calls. */
export const run = (id: string, given: ExecuteOptions = {}): Promise<ExecutionResult> =>
  runCommand(commandOf(id), given)

/** As `run`, for commands that are made as they are needed and so are not in the registry. */
export async function runCommand(command: Command, given: ExecuteOptions = {}): Promise<ExecutionResult> {
  if (!host) return { is: 'stopped' }
  if (!command.keysOnly) noteUse(command.id, Date.now())
  return execute(host, command, given)
}
