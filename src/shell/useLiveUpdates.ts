import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { importWithRetry } from '../api/importWithRetry.ts'
import { deviceRoles, type Role } from '../domain/roles.ts'
import { afterFirstRowsIdle } from '../store/firstRows.ts'
import { session } from '../store/session.ts'

/** Whether accounts with this role receive live updates. */
export const receivesUpdates = (role: Role | undefined): boolean => deviceRoles.some(each => each === role)

/** Applies live updates while an account that works with devices is signed in. Loaded after the first rows. */
export function useLiveUpdates(role: Role | undefined): void {
  const { userId } = useSnapshot(session)
  const receives = receivesUpdates(role)
  useEffect(() => {
    if (!receives) return undefined
    let cancelled = false
    let stop: (() => void) | undefined
    void afterFirstRowsIdle()
      .then(() => importWithRetry(() => import('../api/live.ts')))
      .then(({ startLiveUpdates }) => {
        if (!cancelled) stop = startLiveUpdates()
      })
    return () => {
      cancelled = true
      stop?.()
    }
  }, [receives, userId])
}
