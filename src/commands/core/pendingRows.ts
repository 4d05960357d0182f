/** Rows that are still loading: those of the list on screen, its focused row, and the open device. */
import { cachedDevice } from '../../api/hooks.ts'
import { focus } from '../../store/focus.ts'
import { bssidInPath } from '../../domain/lists/routes.ts'
import type { Context, ListContext } from './context.ts'
import type { Command } from './types.ts'

/** Whether the rows of a list, or the one that the focus moves to, are loading. */
export const isListPending = ({ count, rows, focus }: ListContext): boolean =>
  // A row that the focus moves to is known once the list has shown the new rows.
  !focus.hasFailed && (count === undefined || (rows.length > 0 && focus.id === undefined && focus.moves > 0))

const isDevicePending = (bssid: string | undefined): boolean =>
  bssid !== undefined && !cachedDevice(bssid) && !focus.devices.hasFailed

/** Whether a command is blocked only as long as rows are loading, which it may act on. */
export function actsOnPendingRows(command: Command, context: Context): boolean {
  const { list, path } = context
  const mayAct = command.inList ? list : command.entity && command.entity === (list?.entity ?? 'devices')
  if (!mayAct) return false
  const isPending = list ? isListPending(list) : isDevicePending(bssidInPath(path))
  return isPending && command.availability(context).is === 'blocked'
}
