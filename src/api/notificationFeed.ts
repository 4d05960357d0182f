/**
 * The feed of notifications on screen. It is kept while the filter stays, so that returning to the screen restores it.
 */
import { ref, subscribe } from 'valtio/vanilla'
import { addBetween, emptyFeed } from '../domain/feed.ts'
import {
  notificationsView,
  type FindingsNotice,
  type HealthNotice,
  type ShownNotification,
} from '../store/notificationsView.ts'
import { session } from '../store/session.ts'
import { call } from './client.ts'
import { maxPerCall } from './contract/endpoint.ts'
import { notifications, type Notification } from './contract/notifications.ts'
import { notificationTypes, type NotificationType } from '../domain/notifications/types.ts'
import { createFeedLoader, type FetchPage, type FeedState } from './feedLoader.ts'
import type { Progress } from './readMatches.ts'

/** The maximum number of devices in a query. */
export const maxDevices = 500

/** An absent field does not filter; an empty list matches nothing. */
export interface NotificationFilter {
  readonly types?: readonly NotificationType[]
  readonly devices?: readonly string[]
}

/** Returns the key of an account's filter, which also encodes the filter. */
export const feedKey = (account: string | null, { types, devices }: NotificationFilter): string =>
  JSON.stringify({ account, types, devices })

/** Returns the query value for devices, without colons to keep a URL with 500 of them short. */
export const devicesQuery = (bssids: readonly string[]): string =>
  bssids
    .slice(0, maxDevices)
    .map(bssid => bssid.replaceAll(':', ''))
    .join(',')

/** Returns a filter as part of a query, which always names the enabled types (specification, section 7). */
export const notificationsQuery = ({
  types = notificationTypes,
  devices,
}: NotificationFilter): { types: string; devices?: string } => ({
  types: types.join(','),
  ...(devices && { devices: devicesQuery(devices) }),
})

const notLoaded: FeedState<Notification> = { ...emptyFeed, loading: undefined, failed: undefined }

type Feed = ReturnType<typeof createFeedLoader<Notification>>
let current: { readonly key: string; readonly filter: NotificationFilter; readonly feed: Feed } | undefined
const listeners = new Set<() => void>()

function notifyListeners(): void {
  const { rows, count } = feedState(current?.key)
  Object.assign(notificationsView, { loaded: rows.length, count })
  const focused = notificationsView.focused?.notification._id
  if (focused !== undefined && !isAmong(rows, focused)) notificationsView.focused = undefined
  for (const listener of listeners) listener()
}

/** Whether a notification is one of these lines, or of those below them. Keys act on no other. */
const isAmong = (lines: readonly ShownNotification[], id: string): boolean =>
  lines.some(line => line._id === id || notificationsView.members[line._id]?.some(member => member._id === id))

// Notifications of one account must not be shown to the next.
subscribe(session, () => {
  if (session.userId !== null) return
  showHealthNotices([])
  if (current) clear()
})
function clear(): void {
  current?.feed.stop()
  current = undefined
  Object.assign(notificationsView, { focused: undefined, newAbove: 0, members: {} })
  notifyListeners()
}

/** Calls `onChange` when the feed's state changes. Returns the function that unsubscribes. */
export function subscribeNotifications(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}

/** What health adds to the notifications, and the last state to which it was added. */
let notices: readonly HealthNotice[] = []
let merged: { readonly of: FeedState<Notification>; readonly state: FeedState<ShownNotification> } | undefined

/** Shows these lines of health among the notifications. */
export function showHealthNotices(rows: readonly HealthNotice[]): void {
  if (rows === notices) return
  notices = rows
  merged = undefined
  notifyListeners()
}

/** Returns the feed's state for a filter's key, with the lines of health; an empty state if that filter is not on screen. */
export function feedState(key: string | undefined): FeedState<ShownNotification> {
  const state = current && current.key === key ? current.feed.state() : notLoaded
  if (merged?.of === state) return merged.state
  const feed = addBetween(state, notices)
  merged = { of: state, state: feed === state ? state : { ...state, ...feed } }
  return merged.state
}

/** Shows a filter's notifications. Rejects if the first page cannot be read; reloads a feed that is already loaded. */
export async function showNotifications(key: string): Promise<void> {
  if (current?.key === key && current.feed.state().count !== undefined) return current.feed.reload()
  clear()
  const filter = JSON.parse(key) as NotificationFilter
  const feed = createFeedLoader<Notification>(pageFetcher(filter), () => current?.feed === feed && notifyListeners())
  current = { key, filter, feed }
  return feed.refresh()
}

/** Returns the function that reads a page. A filter that matches nothing sends no request. */
function pageFetcher({ types, devices }: NotificationFilter): FetchPage<Notification> {
  if (types?.length === 0 || devices?.length === 0) return () => Promise.resolve({ count: 0, data: [] })
  const query = notificationsQuery({ types, devices })
  return (offset, limit, signal) =>
    call(notifications.list, { query: { ...query, collapse: 'true', offset, limit }, signal })
}

const matchesFilter = ({ types, devices }: NotificationFilter, { type, device }: Notification): boolean =>
  (!types || types.includes(type)) && (!devices || devices.includes(device.bssid))

/** Adds new notifications from the stream. */
export function receiveNotifications(rows: readonly Notification[]): void {
  current?.feed.receive(rows.filter(row => current && matchesFilter(current.filter, row)))
}

/** Reloads after notifications may have been missed. */
export const reloadNotifications = (): void => current?.feed.reload()

/**
 * Shows the findings of a group below its line, or the newest notifications of an incident, as many as a call returns. Rejects with
 * ApiError.
 */
export async function loadIncident(line: Notification | FindingsNotice): Promise<void> {
  const { _id } = line
  const members =
    line.type === 'findings'
      ? line.members
      : (await call(notifications.list, { query: { incident: _id, limit: maxPerCall } })).data
  notificationsView.members = { ...notificationsView.members, [_id]: ref(members) }
}

/** Returns the devices of an incident or of a group of findings. Rejects with ApiError, or with AbortError when cancelled. */
export async function devicesOfIncident(
  line: Notification | FindingsNotice,
  progress: Progress,
): Promise<readonly string[]> {
  if (line.type === 'findings') return line.group.bssids
  const id = line._id
  const bssids = new Set<string>()
  for (let offset = 0, count = 1; offset < count; offset += maxPerCall) {
    const query = { incident: id, limit: maxPerCall, offset }
    const page = await call(notifications.list, { query, signal: progress.signal })
    for (const { device } of page.data) bssids.add(device.bssid)
    count = page.count
    progress.report(Math.min(offset + maxPerCall, count), count)
  }
  return [...bssids]
}

/** Returns the loaded notifications of the feed on screen. */
export const loadedNotifications = (): readonly ShownNotification[] => feedState(current?.key).rows
/** Loads twelve more. Rejects if they cannot be read; the next call tries the same page again. */
export const loadMoreNotifications = async (): Promise<void> => current?.feed.more()
/** Loads the newest notifications again. Rejects if they cannot be read, and the current ones stay. */
export const refreshNotifications = async (): Promise<void> => current?.feed.refresh()
