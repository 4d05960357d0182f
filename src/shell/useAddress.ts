import { useEffect } from 'react'
import { importWithRetry } from '../api/importWithRetry.ts'
import type { Role } from '../domain/roles.ts'
import { afterFirstRows } from '../store/firstRows.ts'

/** Synchronizes the URL query with the screen's state. `key` identifies the navigation. */
export function useAddress(role: Role | undefined, pathname: string, key: string): void {
  useEffect(() => {
    if (!role) return
    void afterFirstRows()
      .then(() => importWithRetry(() => import('./address/address.ts')))
      .then(({ onNavigation }) => onNavigation())
  }, [role, pathname, key])
}
