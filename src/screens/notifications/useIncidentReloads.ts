import { useEffect, useRef } from 'react'
import { loadIncident } from '../../api/notificationFeed.ts'
import type { ShownNotification } from '../../store/notificationsView.ts'

/** Reads the notifications of unfolded incidents again when the incidents have changed. */
export function useIncidentReloads(rows: readonly ShownNotification[], unfolded: readonly string[]): void {
  /** What the notifications of each incident were read for. */
  const versions = useRef(new Map<string, string>())
  useEffect(() => {
    for (const row of rows) {
      const { _id, incident } = row
      if (!incident || row.type === 'supply' || !unfolded.includes(_id)) continue
      const version = `${incident.devices} ${incident.last_at}`
      const known = versions.current.get(_id)
      versions.current.set(_id, version)
      // The old rows stay if reloading fails.
      if (known !== undefined && known !== version) loadIncident(row).catch(() => undefined)
    }
  }, [rows, unfolded])
}
