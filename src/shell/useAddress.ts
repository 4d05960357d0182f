import { useEffect } from 'react'
import { loadPart } from '../api/loadPart.ts'
import type { Role } from '../domain/roles.ts'
import { afterFirstRows } from '../store/firstRows.ts'

/** Keeps the address and what the screen shows in step; `key` tells one visit to a screen from the next. */
export function useAddress(role: Role | undefined, pathname: string, key: string): void {
  useEffect(() => {
    if (!role) return
    void afterFirstRows()
      .then(() => loadPart(() => import('./address/address.ts')))
      .then(({ enterScreen }) => enterScreen())
  }, [role, pathname, key])
}
