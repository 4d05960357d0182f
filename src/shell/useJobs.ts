import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { importWithRetry } from '../api/importWithRetry.ts'
import { persistJobs } from '../commands/jobs/persistence.ts'
import { loadAllCommands } from '../commands/core/registry.ts'
import { session } from '../store/session.ts'

/** Restores and persists the signed-in account's jobs. */
export function useJobs(): void {
  const { userId } = useSnapshot(session)
  useEffect(() => {
    if (userId === null) return
    // The command definitions determine which arguments may be stored.
    void importWithRetry(loadAllCommands).then(() => (session.userId === userId ? persistJobs(userId) : undefined))
  }, [userId])
}
