/** The actions of notification commands. Loaded with the notifications screen, to keep the initial bundle small. */
import { call } from '../../api/client.ts'
import { devices } from '../../api/contract/devices.ts'
import type { Notification } from '../../api/contract/notifications.ts'
import { itemOf } from '../../api/lists.ts'
import { loadMoreNotifications, refreshNotifications, loadedNotifications } from '../../api/notificationFeed.ts'
import { focusNotification, notificationsView } from '../../store/notificationsView.ts'
import { suggestedAction } from './suggestedActions.ts'
import { commandOf } from '../core/registry.ts'
import type { Command, Services } from '../core/types.ts'

/** Makes the notification the one that keys act on; `byKeys` moves the DOM focus to it too. */
export const focusOn = (notification: Notification, byKeys = false): void =>
  focusNotification({ notification, actionTitle: suggestedAction(notification.type).title }, byKeys)

const focusedIndex = (rows: readonly Notification[]): number =>
  rows.findIndex(({ _id }) => _id === notificationsView.focused?.notification._id)

/** Whether the last loaded notification is focused. */
export const isAtEnd = (): boolean => focusedIndex(loadedNotifications()) === loadedNotifications().length - 1

/** Moves the focus down by `by` notifications, or to the first one if none is focused. */
export function moveBy(by: number): void {
  const rows = loadedNotifications()
  const index = focusedIndex(rows)
  const next = rows[index < 0 ? 0 : Math.max(0, Math.min(index + by, rows.length - 1))]
  if (next) focusOn(next, true)
}

/** Loads the next page. If the last notification is focused, the focus moves on to the first new one. */
export async function loadMore(): Promise<void> {
  const rows = loadedNotifications()
  const last = focusedIndex(rows)
  await loadMoreNotifications()
  if (last >= 0 && last === rows.length - 1 && loadedNotifications().length > rows.length) moveBy(1)
}

/** Reloads from the newest notification on, and scrolls to the top. */
export async function refresh({ hasFocus, scrollTo }: Services): Promise<void> {
  await refreshNotifications()
  const [first] = loadedNotifications()
  // The DOM focus follows only if it was in the list; after a click on the button it stays on the button.
  if (first) focusOn(first, hasFocus('notifications'))
  scrollTo('notifications')
}

/** Runs a notification's suggested action on its device, with the action's own prompts and confirmation. */
export async function answer(notification: Notification, { runCommand }: Services): Promise<void> {
  const { command: id, input } = suggestedAction(notification.type)
  const command = commandOf(id)
  const { bssid } = notification.device
  // Reads the current device; the call rejects if the device was deleted.
  const targets =
    command.entity === 'devices' ? [itemOf('devices', await call(devices.detail, { params: { bssid } }))] : undefined
  // Not awaited, because the action has its own prompts, progress and outcome.
  void runCommand<Command>(command, input?.(notification), targets)
}
