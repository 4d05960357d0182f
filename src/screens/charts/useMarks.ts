import { useMemo } from 'react'
import { useDeviceNotifications } from '../../api/notifications.ts'
import type { Notification } from '../../api/contract/notifications.ts'
import { positionOnAxis, type ChartModel } from '../../domain/charts/lines.ts'

/** A notification's position on the time axis. */
export interface Mark {
  readonly notification: Notification
  readonly x: number
  /** The row of the bucket in which it was created. */
  readonly row: number
}

/** The number of newest notifications that are read, for all devices together. */
const maxMarks = 1000

/** The marks, and the time from which they are complete. */
export interface Marks {
  /** Oldest first. */
  readonly marks: readonly Mark[]
  /** ISO time before which marks may be missing; undefined if the whole range is covered. */
  readonly since: string | undefined
}

/** Returns marks for the charted devices' newest notifications within the charted range. */
export function useMarks(bssids: readonly string[], model: ChartModel, hidden: ReadonlySet<string>): Marks {
  const { data } = useDeviceNotifications(bssids, maxMarks)
  return useMemo(() => {
    const oldest = data && data.length >= maxMarks ? data.at(-1)?.created_at : undefined
    const start = Math.min(...model.grid.rows.map(row => row.startsAt))
    const since = oldest !== undefined && Date.parse(oldest) > start ? oldest : undefined
    const indexes = new Map(model.devices.map(({ bssid }, index) => [bssid, index]))
    const marks = (data ?? [])
      .flatMap(notification => {
        const { bssid } = notification.device
        const index = hidden.has(bssid) ? undefined : indexes.get(bssid)
        const position =
          index === undefined ? undefined : positionOnAxis(model, index, Date.parse(notification.created_at))
        return position ? [{ notification, ...position }] : []
      })
      .sort((one, other) => one.x - other.x)
    return { marks, since }
  }, [data, model, hidden])
}
