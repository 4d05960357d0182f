import { useMemo } from 'react'
import { useDeviceNotifications } from '../../api/notifications.ts'
import type { Notification } from '../../api/contract/notifications.ts'
import { placeOnAxis, type ChartModel } from '../../domain/chartLines.ts'

export interface Mark {
  readonly notification: Notification
  readonly x: number
  /** The row of the bucket in which it was made. */
  readonly row: number
}

/** The newest of these devices' are asked for; those of a year fit in. */
const most = 1000

/** What was notified of the charted devices in the stretch that is charted, the oldest first. */
export function useMarks(bssids: readonly string[], model: ChartModel, hidden: ReadonlySet<string>): readonly Mark[] {
  const { data } = useDeviceNotifications(bssids, most)
  return useMemo(() => {
    const places = new Map(model.devices.map(({ bssid }, place) => [bssid, place]))
    return (data ?? [])
      .flatMap(notification => {
        const { bssid } = notification.device
        const place = hidden.has(bssid) ? undefined : places.get(bssid)
        const found = place === undefined ? undefined : placeOnAxis(model, place, Date.parse(notification.created_at))
        return found ? [{ notification, ...found }] : []
      })
      .sort((one, other) => one.x - other.x)
  }, [data, model, hidden])
}
