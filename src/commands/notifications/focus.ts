/**
 * The notification that keys act on. Loaded with the commands, so that a move is done before the next key: `Enter` right
 * after the first `j` opens what that `j` moved to.
 */
import { loadedNotifications } from '../../api/notificationFeed.ts'
import { foldByDay, type NotificationEntry } from '../../domain/notifications/runs.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { focusNotification, notificationsView, type ShownNotification } from '../../store/notificationsView.ts'
import { countOf } from '../core/wording.ts'
import { actionOfFinding } from '../findings/suggested.ts'
import { suggestedAction, type SuggestedAction } from './suggestedActions.ts'

/** Makes the notification the one that keys act on; `byKeys` moves the DOM focus to it too. */
export const focusOn = (notification: ShownNotification, byKeys = false): void =>
  focusNotification({ notification, actionTitle: actionOf(notification).title }, byKeys)

/** Returns the suggested action: on one device, or for an incident to select its devices. */
export function actionOf(notification: ShownNotification): Pick<SuggestedAction, 'title' | 'icon'> {
  const { type, incident } = notification
  if (type === 'finding') return actionOfFinding(notification.finding)
  if (!incident) return suggestedAction(type)
  // A change of a supply was seen in some of its devices.
  const title = type === 'supply' ? 'Select devices' : `Select ${countOf(incident.devices, 'devices')}`
  return { title, icon: 'select' }
}

const focusedIndex = (rows: readonly ShownNotification[]): number =>
  rows.findIndex(({ _id }) => _id === notificationsView.focused?.notification._id)

/** Returns the loaded notifications that are shown; those in folded runs are not. */
export function shownEntries(): readonly NotificationEntry<ShownNotification>[] {
  const { focused, unfolded, members } = notificationsView
  return foldByDay(loadedNotifications(), systemTimeZone(), unfolded, focused?.notification._id, members).entries
}

const shownNotifications = () => shownEntries().map(({ notification }) => notification)

/** Whether the last notification shown is focused. */
export function isAtEnd(): boolean {
  const rows = shownNotifications()
  return focusedIndex(rows) === rows.length - 1
}

/** Moves the focus down by `by` notifications, or to the first one if none is focused. */
export function moveBy(by: number): void {
  const rows = shownNotifications()
  const index = focusedIndex(rows)
  const next = rows[index < 0 ? 0 : Math.max(0, Math.min(index + by, rows.length - 1))]
  if (next) focusOn(next, true)
}
