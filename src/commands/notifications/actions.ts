/** The actions of notification commands. Loaded with the notifications screen, to keep the initial bundle small. */
import { call } from '../../api/client.ts'
import { devices } from '../../api/contract/devices.ts'
import { itemOf } from '../../api/lists.ts'
import { findingsText } from '../../domain/health/texts/findingTexts.ts'
import { routes } from '../../domain/lists/routes.ts'
import { notificationDefinitions } from '../../domain/notifications/definitions.ts'
import {
  devicesOfIncident,
  loadIncident,
  loadMoreNotifications,
  refreshNotifications,
  loadedNotifications,
} from '../../api/notificationFeed.ts'
import {
  notificationsView,
  type FindingNotice,
  type ShownNotification,
  type SupplyNotice,
} from '../../store/notificationsView.ts'
import { devicesOfEntry } from '../overview/devices.ts'
import { supplyChangeEntry } from '../overview/entries.ts'
import { openEntry } from '../overview/openEntry.ts'
import { readDevices } from '../selection/selectList.ts'
import { applyMatches } from '../selection/materialize.ts'
import { commandOf } from '../core/registry.ts'
import type { Command, Services } from '../core/types.ts'
import { focusOn, isAtEnd, moveBy, shownEntries } from './focus.ts'
import { suggestedAction } from './suggestedActions.ts'

/** Returns the incident's row of a notification: itself, or the one that it is listed under. */
const lineOf = ({ _id, incident }: ShownNotification): IncidentLine | undefined => {
  const isMember = (line: IncidentLine) => notificationsView.members[line._id]?.some(member => member._id === _id)
  return loadedNotifications()
    .filter(isIncident)
    .find(line => (incident ? line._id === _id : isMember(line)))
}
type IncidentLine = Exclude<ShownNotification, FindingNotice | SupplyNotice>
const isIncident = (row: ShownNotification): row is IncidentLine => row.incident !== undefined && row.type !== 'supply'

/**
 * Shows all notifications of the focused one’s incident or run, or folds it and focuses its first. Returns a message if it
 * has none. Rejects if the notifications of the incident cannot be read.
 */
export async function toggleRun(): Promise<string | undefined> {
  const line = notificationsView.focused && lineOf(notificationsView.focused.notification)
  if (!line) return toggleLoadedRun()
  if (notificationsView.unfolded.includes(line._id)) {
    notificationsView.unfolded = notificationsView.unfolded.filter(id => id !== line._id)
    focusOn(line, true)
    return undefined
  }
  await loadIncident(line)
  notificationsView.unfolded = [...notificationsView.unfolded, line._id]
  return undefined
}

function toggleLoadedRun(): string | undefined {
  const id = notificationsView.focused?.notification._id
  const rows = loadedNotifications()
  for (const { notification, index, run } of shownEntries()) {
    const ids = rows.slice(index, index + (run?.count ?? 0)).map(({ _id }) => _id)
    if (!run || run.isIncident || id === undefined || !ids.includes(id)) continue
    if (run.isFolded) notificationsView.unfolded = [...notificationsView.unfolded, notification._id]
    else {
      notificationsView.unfolded = notificationsView.unfolded.filter(one => !ids.includes(one))
      focusOn(notification, true)
    }
    return undefined
  }
  return 'There are too few notifications of this type in a row to fold'
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

/** Selects the devices of the notification's incident or of the run that it starts, or its own. Returns a message. */
export async function selectDevices(notification: ShownNotification, { progress }: Services): Promise<string> {
  if (notification.type === 'supply') {
    const found = await devicesOfEntry(supplyChangeEntry(notification.change), progress)
    return applyMatches('devices', found, { mode: undefined, source: 'a change of a water supply', progress })
  }
  const line = lineOf(notification)
  const bssids = line ? await devicesOfIncident(line, progress) : devicesOfRun(notification)
  const source = line ? `the incident “${incidentName(line)}”` : 'notifications'
  return applyMatches('devices', await readDevices(bssids, progress), { mode: undefined, source, progress })
}

/** Opens what a notification is about: its device, its members, or the devices of a supply. Returns a message. */
export function open(notification: ShownNotification, services: Services): Promise<string | undefined> | undefined {
  if (notification.type === 'supply') return openEntry(supplyChangeEntry(notification.change), services)
  if (notification.incident) return toggleRun()
  services.go(`${routes.devices.path}/${notification.device.bssid}`)
  return undefined
}

const incidentName = (line: IncidentLine): string =>
  line.type === 'findings' ? findingsText(line.group) : notificationDefinitions[line.type].text

function devicesOfRun({ _id, device }: ShownNotification): readonly string[] {
  const entry = shownEntries().find(({ notification }) => notification._id === _id)
  const ofRun = loadedNotifications().slice(entry?.index, (entry?.index ?? 0) + (entry?.run?.count ?? 0))
  return [...new Set([device.bssid, ...ofRun.map(row => row.device.bssid)])]
}

/**
 * Runs a notification's suggested action on its device, with the action's own prompts and confirmation. The devices of an
 * incident are selected instead, because one action rarely suits all.
 */
export async function answer(notification: ShownNotification, services: Services): Promise<string | undefined> {
  if (notification.incident) return selectDevices(notification, services)
  const { runCommand } = services
  if (notification.type === 'finding') {
    void runCommand('finding.answer', {}, [itemOf('findings', notification.finding)])
    return undefined
  }
  const { command: id, input } = suggestedAction(notification.type)
  const command = commandOf(id)
  const { bssid } = notification.device
  // Reads the current device; the call rejects if the device was deleted.
  const targets =
    command.entity === 'devices' ? [itemOf('devices', await call(devices.detail, { params: { bssid } }))] : undefined
  // Not awaited, because the action has its own prompts, progress and outcome.
  void runCommand<Command>(command, input?.(notification), targets)
  return undefined
}
