import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { keepJobs } from '../commands/keptJobs.ts'
import { withAllCommands } from '../commands/registry.ts'
import { session } from '../store/session.ts'

/** Brings back the jobs of whoever is signed in, and keeps them. */
export function useJobs(): void {
  const { userId } = useSnapshot(session)
  useEffect(() => {
    // Which arguments may be kept, the commands tell.
    if (userId !== null) void withAllCommands().then(() => keepJobs(userId))
  }, [userId])
}
