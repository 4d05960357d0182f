/** Waits for what a command acts on. Loaded when first needed. */
import type { Context } from '../context.ts'
import { actsOnPendingRows } from '../pendingRows.ts'
import type { Command } from '../types.ts'
import { whenRowsLoaded } from './whenRowsLoaded.ts'

/**
 * Waits until the earlier change of the selection has ended and the rows that the command acts on have loaded. Resolves
 * with undefined, or with the reason why the command must not run.
 */
export async function waitForTargets(
  command: Command,
  context: () => Context,
  earlier: Promise<boolean> | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (earlier && !(await earlier)) return 'the selection could not be changed'
  const isLoaded = await whenRowsLoaded(() => actsOnPendingRows(command, context()), signal)
  return isLoaded ? undefined : 'the rows could not be loaded'
}
