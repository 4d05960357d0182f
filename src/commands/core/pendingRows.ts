/** Rows that are still loading: those of the list on screen, its focused row, and the open device. */
import { cachedDevice } from '../../api/hooks.ts'
import { bssidInPath } from '../../domain/lists/routes.ts'
import { focus } from '../../store/focus.ts'
import { entities } from '../../store/lists.ts'
import { subscribeContext, type Context, type ListContext } from './context.ts'
import type { Command } from './types.ts'

const isListPending = ({ count, rows, focus }: ListContext): boolean =>
  // A row that the focus moves to is known once the list has shown the new rows.
  count === undefined || (rows.length > 0 && focus.id === undefined && focus.moves > 0)

/** Whether a command is blocked only as long as rows are loading, which it may act on. */
export function actsOnPendingRows(command: Command, context: Context): boolean {
  const { list, path } = context
  const bssid = bssidInPath(path)
  const mayAct = command.inList ? list : command.entity && command.entity === (list?.entity ?? 'devices')
  if (!mayAct) return false
  const isPending = list ? isListPending(list) : bssid !== undefined && !cachedDevice(bssid)
  return isPending && command.availability(context).is === 'blocked'
}

const failedLoads = () => entities.reduce((sum, entity) => sum + focus[entity].failedLoads, 0)

/**
 * Resolves with whether the rows that a command would act on have loaded: true also once it no longer acts on any, false
 * as soon as loading them has failed or the signal is aborted.
 */
export function whenRowsLoaded(command: Command, context: () => Context, signal: AbortSignal): Promise<boolean> {
  const failedBefore = failedLoads()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const check = () => {
    const isPending = actsOnPendingRows(command, context())
    if (!isPending || signal.aborted || failedLoads() > failedBefore) resolve(!isPending)
  }
  const stop = subscribeContext(check)
  signal.addEventListener('abort', check)
  check()
  return promise.finally(stop)
}
