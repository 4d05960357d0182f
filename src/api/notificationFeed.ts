/** The notifications on screen: kept as long as the filter stays, so that who comes back finds them where they were. */
import { subscribe } from 'valtio/vanilla'
import { nothingLoaded } from '../domain/feed.ts'
import { notices } from '../store/notices.ts'
import { session } from '../store/session.ts'
import { call } from './client.ts'
import { notifications, type Notification } from './contract/notifications.ts'
import type { NotificationType } from '../domain/notifications/types.ts'
import { createFeed, type Ask, type FeedState } from './feed.ts'

/** The most devices that one question may name. */
export const maxDevices = 500

/** What is not given limits nothing; something given and empty finds nothing. */
export interface NotificationFilter {
  readonly types?: readonly NotificationType[]
  readonly devices?: readonly string[]
}

/** Names a filter of an account, and holds it. */
export const feedKey = (account: string | null, { types, devices }: NotificationFilter): string =>
  JSON.stringify({ account, types, devices })

/** Keys in the short spelling, which keeps an address of 500 of them short enough. */
export const devicesQuery = (bssids: readonly string[]): string =>
  bssids
    .slice(0, maxDevices)
    .map(bssid => bssid.replaceAll(':', ''))
    .join(',')

const unasked: FeedState<Notification> = { ...nothingLoaded, asking: undefined, failed: undefined }

type Feed = ReturnType<typeof createFeed<Notification>>
let shown: { readonly key: string; readonly filter: NotificationFilter; readonly feed: Feed } | undefined
const listeners = new Set<() => void>()

function tell(): void {
  const { rows, count } = stateOf(shown?.key)
  Object.assign(notices, { loaded: rows.length, count })
  for (const listener of listeners) listener()
}

// What one account has read is not for the next.
subscribe(session, () => {
  if (shown && session.userId === null) forget()
})
function forget(): void {
  shown?.feed.stop()
  shown = undefined
  Object.assign(notices, { focused: undefined, fresh: 0 })
  tell()
}

export function onNotifications(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** What is there of a filter, by its key; of one that is not on screen nothing. */
export const stateOf = (key: string | undefined): FeedState<Notification> =>
  shown && shown.key === key ? shown.feed.state() : unasked

/** Shows what a filter lets through; rejects where the first of it cannot be read. What is there already is mended. */
export async function showNotifications(key: string): Promise<void> {
  if (shown?.key === key && shown.feed.state().count !== undefined) return shown.feed.reread()
  forget()
  const filter = JSON.parse(key) as NotificationFilter
  const feed = createFeed<Notification>(asker(filter), () => shown?.feed === feed && tell())
  shown = { key, filter, feed }
  return feed.refresh()
}

/** What cannot match is not asked for. */
function asker({ types, devices }: NotificationFilter): Ask<Notification> {
  if (types?.length === 0 || devices?.length === 0) return () => Promise.resolve({ count: 0, data: [] })
  const query = { ...(types && { types: types.join(',') }), ...(devices && { devices: devicesQuery(devices) }) }
  return (offset, limit, signal) => call(notifications.list, { query: { ...query, offset, limit }, signal })
}

const lets = ({ types, devices }: NotificationFilter, { type, device }: Notification): boolean =>
  (!types || types.includes(type)) && (!devices || devices.includes(device.bssid))

/** New ones, as the stream tells of them. */
export function hearNotifications(rows: readonly Notification[]): void {
  shown?.feed.heard(rows.filter(row => shown && lets(shown.filter, row)))
}

/** Some may have been missed. */
export const rereadNotifications = (): void => shown?.feed.reread()

export const shownNotifications = (): readonly Notification[] => stateOf(shown?.key).rows
/** Twelve more; rejects where they cannot be read, and then they are asked for once more the next time. */
export const moreNotifications = async (): Promise<void> => shown?.feed.more()
/** From the newest on, once more; rejects as above, and then what is shown stays. */
export const refreshNotifications = async (): Promise<void> => shown?.feed.refresh()
