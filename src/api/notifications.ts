/** Reading notifications: the list, those of some devices, and how many nobody has looked at. */
import { useEffect, useSyncExternalStore } from 'react'
import useSWR, { mutate, useSWRConfig } from 'swr'
import { useSnapshot } from 'valtio'
import { session } from '../store/session.ts'
import { call } from './client.ts'
import { notifications, type Notification, type Unseen } from './contract/notifications.ts'
import type { FeedState } from './feed.ts'
import { useKeptUp } from './hooks.ts'
import {
  devicesQuery,
  feedKey,
  onNotifications,
  rereadNotifications,
  showNotifications,
  stateOf,
  type NotificationFilter,
} from './notificationFeed.ts'

/** The notifications that a filter lets through, 12 at first; new ones come by themselves. */
export function useNotifications(filter: NotificationFilter): FeedState<Notification> {
  const { userId } = useSnapshot(session)
  const { refreshInterval } = useKeptUp()
  const config = useSWRConfig()
  const key = feedKey(userId, filter)
  useEffect(() => {
    showNotifications(key).catch((error: unknown) => config.onError(error, key, config))
  }, [key, config])
  useEffect(() => {
    const look = () => {
      if (!document.hidden) rereadNotifications()
    }
    const polling = setInterval(look, Number(refreshInterval))
    return () => clearInterval(polling)
  }, [refreshInterval])
  return useSyncExternalStore(onNotifications, () => stateOf(key))
}

/**
 * The newest `limit` (1–1000) notifications of these devices, newest first; none of no devices. Of more than 500
 * devices only the first 500 are asked about. What is told on the stream is in it a moment later.
 */
export const useDeviceNotifications = (bssids: readonly string[], limit: number) =>
  useSWR<Notification[]>(
    bssids.length > 0 ? [notifications.list.path, { devices: devicesQuery(bssids), limit }] : null,
    async ([, query]: [string, { devices: string; limit: number }]) => (await call(notifications.list, { query })).data,
    useKeptUp(),
  )

const unseenKey = [notifications.unseen.path, null] as const

/** How many notifications the account has not seen, and until when it has. */
export const useUnseen = () => useSWR<Unseen>(unseenKey, () => call(notifications.unseen), useKeptUp())

/** How many it is may have changed. */
export const rereadUnseen = (): Promise<unknown> => mutate(unseenKey)

/** The account has seen all that were made until then (ISO). */
export async function markSeen(until: string): Promise<void> {
  const unseen = await call(notifications.markSeen, { body: { until } })
  await mutate(unseenKey, unseen, { revalidate: false })
}

/** The account has seen all there are. */
export async function markAllSeen(): Promise<void> {
  const { data } = await call(notifications.list, { query: { limit: 1 } })
  if (data[0]) await markSeen(data[0].created_at)
}
