import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { importWithRetry } from '../api/importWithRetry.ts'
import { loadAllCommands } from '../commands/core/registry.ts'
import type { Role } from '../domain/roles.ts'
import { pendingLink } from '../store/pendingLink.ts'
import { afterFirstRows } from '../store/firstRows.ts'

/** Runs the command link with which the page was opened, once an account is signed in. */
export function usePendingLink(role: Role | undefined): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!role || !pendingLink()) return
    void afterFirstRows()
      .then(() => importWithRetry(() => loadAllCommands().then(() => import('../commands/surfaces/host/openLink.ts'))))
      .then(({ openLink }) => openLink(path => void navigate(path)))
  }, [role, navigate])
}
