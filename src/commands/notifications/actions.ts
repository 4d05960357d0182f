/** The actions of notification commands. Loaded with the notifications screen, to keep the initial bundle small. */
import { call } from '../../api/client.ts'
import { devices } from '../../api/contract/devices.ts'
import type { Notification } from '../../api/contract/notifications.ts'
import { itemOf } from '../../api/lists.ts'
import { foldByDay, type NotificationEntry } from '../../domain/notifications/runs.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
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

/** Returns the loaded notifications that are shown; those in folded runs are not. */
function shownEntries(): readonly NotificationEntry<Notification>[] {
  const { focused, unfolded } = notificationsView
  return foldByDay(loadedNotifications(), systemTimeZone(), unfolded, focused?.notification._id).entries
}
const shownNotifications = () => shownEntries().map(({ notification }) => notification)

/** Whether the last notification shown is focused. */
export function isAtEnd(): boolean {
  const rows = shownNotifications()
  return focusedIndex(rows) === rows.length - 1
}

/** Shows all notifications of the focused one’s run, or folds it and focuses its first. Returns a message if it has none. */
export function toggleRun(): string | undefined {
  const id = notificationsView.focused?.notification._id
  const rows = loadedNotifications()
  for (const { notification, index, run } of shownEntries()) {
    const ids = rows.slice(index, index + (run?.count ?? 0)).map(({ _id }) => _id)
    if (!run || id === undefined || !ids.includes(id)) continue
    if (run.isFolded) notificationsView.unfolded = [...notificationsView.unfolded, notification._id]
    else {
      notificationsView.unfolded = notificationsView.unfolded.filter(one => !ids.includes(one))
      focusOn(notification, true)
    }
    return undefined
  }
  return 'There are too few notifications of this type in a row to fold'
}

/** Moves the focus down by `by` notifications, or to the first one if none is focused. */
export function moveBy(by: number): void {
  const rows = shownNotifications()
  const index = focusedIndex(rows)
  const next = rows[index < 0 ? 0 : Math.max(0, Math.min(index + by, rows.length - 1))]
  if (next) focusOn(next, true)
}

/** Loads the next page. If the last notification is focused, the focus moves on to the first new one. */
export async function loadMore(): Promise<void> {
  const wasAtEnd = notificationsView.focused !== undefined && isAtEnd()
  const { length } = loadedNotifications()
  await loadMoreNotifications()
  if (wasAtEnd && loadedNotifications().length > length) moveBy(1)
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
