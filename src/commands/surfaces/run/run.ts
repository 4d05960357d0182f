import type { Command, CommandWithInput, ExecutionResult } from '../../core/types.ts'
import type { ExecuteOptions } from '../../core/execution/execute.ts'
import type { CommandId, InputOf } from '../../core/commandId.ts'
import { commandOf, findCommand, loadAllCommands } from '../../core/registry.ts'
import { togglePalette } from '../../../store/overlays.ts'
import { beginPending } from '../../core/runs/pendingCommands.ts'

/** Runs a command on the page: `execute` with the page as its host. */
export type Executor = (command: Command, options: ExecuteOptions) => Promise<ExecutionResult>

let executor: Executor | undefined
let loadExecutor: (() => Promise<Executor>) | undefined
let reportFailure: ((error: unknown) => Promise<void>) | undefined

export function setExecutor(next: Executor): void {
  executor = next
}

/** Sets how the executor is loaded, which the first rows do not need, and how it is reported that it did not load. */
export function deferExecutor(load: () => Promise<Executor>, report: (error: unknown) => Promise<void>): void {
  loadExecutor = load
  reportFailure = report
}

/** Resolves once commands run at once. After a failure the next call retries. */
export async function loadExecution(): Promise<void> {
  const [loaded] = await Promise.all([loadExecutor?.(), loadAllCommands()])
  executor ??= loaded
}

/** Like `loadExecution`, for what a person has just done: says so if it fails. */
export async function loadOrReport(): Promise<void> {
  try {
    await loadExecution()
  } catch (error) {
    void reportFailure?.(error)
    throw error
  }
}

/** Runs a command by its id, once it has loaded; the input is typed by the id. */
export async function run<Id extends CommandId>(
  id: Id,
  options: ExecuteOptions<InputOf<Id>> = {},
): Promise<ExecutionResult> {
  const failure = findCommand(id) ? undefined : await waitForExecution()
  return failure ?? runCommand(commandOf(id), options)
}

/**
 * Runs a command, and counts its use unless it was cancelled. All surfaces call it: buttons, keys, forms and menus. The
 * input is typed by the command.
 */
export async function runCommand<Input = unknown>(
  command: CommandWithInput<Input>,
  options: ExecuteOptions<NoInfer<Input>> = {},
): Promise<ExecutionResult> {
  if (!executor && loadExecutor && command.id === 'view.palette') {
    // The palette needs no executor to open: it shows its frame, and what is typed, while its code loads.
    togglePalette()
    return { is: 'done' }
  }
  const failure = !executor && loadExecutor ? await waitForExecution() : undefined
  const result = failure ?? (await executor?.(command, options)) ?? { is: 'stopped' }
  if (!command.keysOnly && (result.is === 'done' || result.is === 'failed')) void countUse(command.id, Date.now())
  return result
}

/** Waits until commands can run. Keys that are pressed meanwhile are for what the command opens. */
async function waitForExecution(): Promise<ExecutionResult | undefined> {
  const endPending = beginPending()
  try {
    await loadOrReport()
    return undefined
  } catch (error) {
    return { is: 'failed', error }
  } finally {
    endPending()
  }
}

/** Counts a use for the order of the palette, whose code is not needed before it opens. */
async function countUse(id: string, now: number): Promise<void> {
  const recents = await import('../../palette/recents.ts').catch(() => undefined)
  // Without a connection, the use is not counted.
  recents?.recordUse(id, now)
}
