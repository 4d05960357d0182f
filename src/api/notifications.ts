/** Hooks for notifications: the feed, those of some devices, and the unseen count. */
import { useEffect, useSyncExternalStore } from 'react'
import useSWR, { mutate, useSWRConfig } from 'swr'
import { useSnapshot } from 'valtio'
import type * as z from 'zod/mini'
import type { ShownNotification } from '../store/notificationsView.ts'
import { session } from '../store/session.ts'
import { call } from './client.ts'
import { findings } from './contract/findings.ts'
import { notifications, type Notification, type Unseen } from './contract/notifications.ts'
import type { FeedState } from './feedLoader.ts'
import { useRefreshOptions } from './hooks.ts'
import {
  feedKey,
  notificationsQuery,
  subscribeNotifications,
  reloadNotifications,
  showNotifications,
  feedState,
  type NotificationFilter,
} from './notificationFeed.ts'

/** Returns a filter's notifications, at first 12, with new ones added live. */
export function useNotifications(filter: NotificationFilter): FeedState<ShownNotification> {
  const { userId } = useSnapshot(session)
  const { refreshInterval } = useRefreshOptions()
  const config = useSWRConfig()
  const key = feedKey(userId, filter)
  useEffect(() => {
    showNotifications(key).catch((error: unknown) => config.onError(error, key, config))
  }, [key, config])
  useEffect(() => {
    const poll = () => {
      if (!document.hidden) reloadNotifications()
    }
    const polling = setInterval(poll, Number(refreshInterval))
    return () => clearInterval(polling)
  }, [refreshInterval])
  return useSyncExternalStore(subscribeNotifications, () => feedState(key))
}

type NotificationsQuery = z.input<typeof notifications.list.query>

/**
 * Reads the newest `limit` (1–1000) notifications of devices, newest first. Without devices it reads nothing; only the
 * first 500 devices are included. New notifications from the stream appear after the next reload.
 */
export const useDeviceNotifications = (bssids: readonly string[], limit: number) =>
  useSWR<Notification[]>(
    bssids.length > 0
      ? [notifications.list.path, { ...notificationsQuery({ devices: bssids }), offset: 0, limit }]
      : null,
    async ([, query]: [string, NotificationsQuery]) => (await call(notifications.list, { query })).data,
    useRefreshOptions(),
  )

// The last part lets the count follow findings, too, which it includes.
const unseenKey = [notifications.unseen.path, null, findings.list.path] as const

/** Reads the account's unseen count, and the time until which it has seen notifications. */
export const useUnseen = () => useSWR<Unseen>(unseenKey, () => call(notifications.unseen), useRefreshOptions())

/** Reads the unseen count again. */
export const revalidateUnseen = (): Promise<unknown> => mutate(unseenKey)

/** A time that the server takes for the present of its own clock, because it is later. */
const endOfTime = '9999-12-31T23:59:59Z'

/** Marks all notifications created up to an ISO time as seen; without a time, all. */
export async function markSeen(until = endOfTime): Promise<void> {
  const unseen = await call(notifications.markSeen, { body: { until } })
  await mutate(unseenKey, unseen, { revalidate: false })
}
