import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { loadPart } from '../api/loadPart.ts'
import { deviceRoles, type Role } from '../domain/roles.ts'
import { afterFirstRows } from '../store/firstRows.ts'
import { session } from '../store/session.ts'

/** Hears of changes while someone is signed in who works with devices. The code for it can wait for the first rows. */
export function useLive(role: Role | undefined): void {
  const { userId } = useSnapshot(session)
  const hears = deviceRoles.some(each => each === role)
  useEffect(() => {
    if (!hears) return undefined
    let left = false
    let stop: (() => void) | undefined
    void afterFirstRows()
      .then(() => loadPart(() => import('../api/live.ts')))
      .then(({ startLiveUpdates }) => {
        if (!left) stop = startLiveUpdates()
      })
    return () => {
      left = true
      stop?.()
    }
  }, [hears, userId])
}
