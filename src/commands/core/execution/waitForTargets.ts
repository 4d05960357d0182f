/** Waits for what a command acts on. Loaded when first needed. */
import { focus } from '../../../store/focus.ts'
import { entities } from '../../../store/lists.ts'
import { subscribeContext, type Context } from '../context.ts'
import { actsOnPendingRows } from '../pendingRows.ts'
import type { Command } from '../types.ts'

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
  return (await whenRowsLoaded(command, context, signal)) ? undefined : 'the rows could not be loaded'
}

const hasFailed = () => entities.some(entity => focus[entity].hasFailed)

/**
 * Resolves with whether the rows that a command would act on have loaded: true also once it no longer acts on any, false
 * as soon as loading them has failed or the signal is aborted.
 */
function whenRowsLoaded(command: Command, context: () => Context, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let hasWaited = false
  const check = () => {
    if (signal.aborted) return resolve(false)
    if (!actsOnPendingRows(command, context())) return resolve(!(hasWaited && hasFailed()))
    hasWaited = true
  }
  const stop = subscribeContext(check)
  signal.addEventListener('abort', check)
  check()
  return promise.finally(stop)
}
