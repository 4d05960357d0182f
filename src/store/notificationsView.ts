/** The state of the notifications screen: the filter, the focused notification and the counts. */
import { proxy, ref } from 'valtio'
import { isFlag, isListOf, isText } from '../domain/lib/checks.ts'
import type { Finding } from '../api/contract/findings.ts'
import type { FindingGroup, SupplyChange } from '../api/contract/health/fleet.ts'
import type { Notification } from '../api/contract/notifications.ts'
import type { IncidentMembers } from '../domain/notifications/runs.ts'
import { persist } from './persist.ts'

/** A finding as it appears among the notifications, at the time when it was found. */
export interface FindingNotice extends Pick<Notification, '_id' | 'device' | 'created_at'> {
  readonly type: 'finding'
  readonly finding: Finding
  readonly incident?: undefined
}

/** Findings of one cause on one water supply, as one line. */
export interface FindingsNotice extends Pick<Notification, '_id' | 'device' | 'created_at'> {
  readonly type: 'findings'
  readonly group: FindingGroup
  /** Its findings among the notifications, newest first. */
  readonly members: readonly FindingNotice[]
  /** As of an incident, because its line is shown like one. */
  readonly incident: { readonly devices: number; readonly last_at: string }
}

/** A change that the devices of a water supply share, as one line. */
export interface SupplyNotice extends Pick<Notification, '_id' | 'created_at'> {
  readonly type: 'supply'
  readonly change: SupplyChange
  /** No device stands for it. */
  readonly device: { readonly bssid: ''; readonly description: ''; readonly company_name: string }
  /** As of an incident, because its line is shown like one. */
  readonly incident: { readonly devices: number; readonly last_at: string }
}

/** What the health of devices adds to the notifications. */
export type HealthNotice = FindingNotice | FindingsNotice | SupplyNotice
export type ShownNotification = Notification | HealthNotice

export interface FocusedNotification {
  readonly notification: ShownNotification
  /** The title of the suggested action. */
  readonly actionTitle: string
}

interface NotificationsView {
  /** The types that are filtered out; none by default. */
  hidden: string[]
  /** Whether only notifications of selected devices are shown. */
  onlySelected: boolean
  /** Whether findings and changes of supplies are shown among the notifications. */
  findings: boolean
  /** The notification that keys act on. */
  focused: FocusedNotification | undefined
  /** Counts the moves by keys: the DOM focus follows them, but no other change of the focused notification. */
  moves: number
  /** The number of loaded notifications. */
  loaded: number
  /** The number of matches; undefined until the first page has loaded. */
  count: number | undefined
  /** The notifications whose run is unfolded, and the rows of unfolded incidents. */
  unfolded: string[]
  /** The notifications of incidents that have been unfolded, by the id of the incident's row. */
  members: IncidentMembers<Notification | FindingNotice>
  /** The number of new notifications above the visible part of the list. */
  newAbove: number
}

export const notificationsView = proxy<NotificationsView>({
  hidden: [],
  onlySelected: false,
  findings: true,
  focused: undefined,
  moves: 0,
  loaded: 0,
  count: undefined,
  unfolded: [],
  members: {},
  newAbove: 0,
})
persist('notices', notificationsView, { hidden: isListOf(isText), onlySelected: isFlag, findings: isFlag })

/** Focuses a notification. `byKeys`: it also receives the DOM focus and scrolls into view. */
export function focusNotification(next: FocusedNotification, byKeys: boolean): void {
  if (notificationsView.focused?.notification._id !== next.notification._id) notificationsView.focused = ref(next)
  if (byKeys) notificationsView.moves++
}
