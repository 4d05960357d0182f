import { useMemo } from 'react'
import { useDeviceNotifications } from '../../api/notifications.ts'
import type { Notification } from '../../api/contract/notifications.ts'
import { placeOnAxis, type ChartModel } from '../../domain/charts/lines.ts'

export interface Mark {
  readonly notification: Notification
  readonly x: number
  /** The row of the bucket in which it was made. */
  readonly row: number
}

/** The newest of these devices', all together, are asked for: as many as are told at once. */
const maxMarks = 1000

export interface Marks {
  /** The oldest first. */
  readonly marks: readonly Mark[]
  /** ISO time before which some may be missing; undefined where all of the stretch are there. */
  readonly since: string | undefined
}

/** What was notified of the charted devices in the stretch that is charted, as far as it is among the newest. */
export function useMarks(bssids: readonly string[], model: ChartModel, hidden: ReadonlySet<string>): Marks {
  const { data } = useDeviceNotifications(bssids, maxMarks)
  return useMemo(() => {
    const oldest = data && data.length >= maxMarks ? data.at(-1)?.created_at : undefined
    const begins = Math.min(...model.grid.rows.map(row => row.begins))
    const since = oldest !== undefined && Date.parse(oldest) > begins ? oldest : undefined
    const places = new Map(model.devices.map(({ bssid }, place) => [bssid, place]))
    const marks = (data ?? [])
      .flatMap(notification => {
        const { bssid } = notification.device
        const place = hidden.has(bssid) ? undefined : places.get(bssid)
        const found = place === undefined ? undefined : placeOnAxis(model, place, Date.parse(notification.created_at))
        return found ? [{ notification, ...found }] : []
      })
      .sort((one, other) => one.x - other.x)
    return { marks, since }
  }, [data, model, hidden])
}
