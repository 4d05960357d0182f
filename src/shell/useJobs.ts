import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { loadPart } from '../api/loadPart.ts'
import { persistJobs } from '../commands/jobs/persistence.ts'
import { loadAllCommands } from '../commands/core/registry.ts'
import { session } from '../store/session.ts'

/** Brings back the jobs of whoever is signed in, and keeps them. */
export function useJobs(): void {
  const { userId } = useSnapshot(session)
  useEffect(() => {
    if (userId === null) return
    // Which arguments may be kept, the commands tell.
    void loadPart(loadAllCommands).then(() => (session.userId === userId ? persistJobs(userId) : undefined))
  }, [userId])
}
