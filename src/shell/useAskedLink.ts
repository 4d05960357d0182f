import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { loadPart } from '../api/loadPart.ts'
import { loadAllCommands } from '../commands/core/registry.ts'
import type { Role } from '../domain/roles.ts'
import { askedLink } from '../store/askedLink.ts'
import { afterFirstRows } from '../store/firstRows.ts'

/** Follows the link to a command with which the page was opened, once somebody is signed in. */
export function useAskedLink(role: Role | undefined): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!role || !askedLink()) return
    void afterFirstRows()
      .then(() => loadPart(() => loadAllCommands().then(() => import('../commands/surfaces/host/openLink.ts'))))
      .then(({ openLink }) => openLink(path => void navigate(path)))
  }, [role, navigate])
}
