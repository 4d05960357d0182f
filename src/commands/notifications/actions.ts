/** What the commands on notifications do. Loaded with their screen: the first load has only what they are called. */
import { call } from '../../api/client.ts'
import { devices } from '../../api/contract/devices.ts'
import type { Notification } from '../../api/contract/notifications.ts'
import { itemOf } from '../../api/lists.ts'
import { loadMoreNotifications, refreshNotifications, loadedNotifications } from '../../api/notificationFeed.ts'
import { focusNotification, notices } from '../../store/notices.ts'
import { suggestedAction } from './suggestedActions.ts'
import { commandOf } from '../core/registry.ts'
import type { Command, Services } from '../core/types.ts'

/** The one that keys act on from now on; `byKeys` gives it the browser's focus too. */
export const focusOn = (notification: Notification, byKeys = false): void =>
  focusNotification({ notification, actionTitle: suggestedAction(notification.type).title }, byKeys)

const place = (rows: readonly Notification[]): number =>
  rows.findIndex(({ _id }) => _id === notices.focused?.notification._id)

/** Whether the last one has the focus. */
export const isAtEnd = (): boolean => place(loadedNotifications()) === loadedNotifications().length - 1

/** The one so many below; the first where none has the focus. */
export function moveBy(by: number): void {
  const rows = loadedNotifications()
  const at = place(rows)
  const next = rows[at < 0 ? 0 : Math.max(0, Math.min(at + by, rows.length - 1))]
  if (next) focusOn(next, true)
}

/** Twelve more. From the last one on, the focus goes on to the first of them. */
export async function loadMore(): Promise<void> {
  const rows = loadedNotifications()
  const last = place(rows)
  await loadMoreNotifications()
  if (last >= 0 && last === rows.length - 1 && loadedNotifications().length > rows.length) moveBy(1)
}

/** From the newest on, and back to the top. */
export async function refresh({ hasFocus, scrollTo }: Services): Promise<void> {
  await refreshNotifications()
  const [first] = loadedNotifications()
  // A person in the list goes on in it; one who pressed the button stays there.
  if (first) focusOn(first, hasFocus('notifications'))
  scrollTo('notifications')
}

/** Does what answers a notification, to its device as it is now, and with whatever that asks first. */
export async function answer(notification: Notification, { again }: Services): Promise<void> {
  const { command: id, input } = suggestedAction(notification.type)
  const command = commandOf(id)
  const { bssid } = notification.device
  // A device that is gone by now says so here.
  const targets =
    command.entity === 'devices' ? [itemOf('devices', await call(devices.detail, { params: { bssid } }))] : undefined
  // It has its own questions, its own progress and its own outcome: this one is done.
  void again<Command>(command, input?.(notification), targets)
}
