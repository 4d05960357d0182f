import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { loadPart } from '../api/loadPart.ts'
import { persistJobs } from '../commands/jobs/persistence.ts'
import { loadAllCommands } from '../commands/commands.ts'
import { session } from '../store/session.ts'

/** Restores and persists the signed-in account's jobs. */
export function useJobs(): void {
  const { userId } = useSnapshot(session)
  useEffect(() => {
    if (userId === null) return
    // The command definitions determine which arguments may be stored.
    void loadPart(loadAllCommands).then(() => (session.userId === userId ? persistJobs(userId) : undefined))
  }, [userId])
}
