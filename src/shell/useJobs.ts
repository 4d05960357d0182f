import { useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { Job } from '../api/contract/jobs.ts'
import { importWithRetry } from '../api/importWithRetry.ts'
import { readNewestJobs, useRunningJobs } from '../api/jobs/jobList.ts'
import { isOwnJob, mayHaveServerJobs } from '../commands/jobs/entries.ts'
import { loadStoredJobs } from '../commands/jobs/storedJobs.ts'
import { loadAllCommands } from '../commands/core/registry.ts'
import { hasRunningPageJobs } from '../commands/core/runs/jobs.ts'
import { hasRunningUploads } from '../commands/core/runs/uploads.ts'
import { sleep } from '../domain/lib/retry.ts'
import { session } from '../store/session.ts'

/** Milliseconds before the ended jobs are read, which only an undo needs: the start has enough requests. */
const endedJobsDelay = 5_000

/** Asks before the page is closed while a run would stop by that, or the secrets that an upload returns would be lost. */
function confirmUnload(event: BeforeUnloadEvent): void {
  if (hasRunningPageJobs() || hasRunningUploads()) event.preventDefault()
}

/**
 * Returns the running jobs of the account. Shows their progress, whichever page started them, and makes the newest jobs
 * known, so that they can be undone after a reload.
 */
export function useJobs(): readonly Job[] {
  const { userId } = useSnapshot(session)
  const hasJobs = mayHaveServerJobs()
  const { data: running = noJobs } = useRunningJobs(hasJobs)
  const own = useMemo(() => (userId === null ? noJobs : running.filter(isOwnJob)), [running, userId])
  useEffect(() => {
    window.addEventListener('beforeunload', confirmUnload)
    return () => window.removeEventListener('beforeunload', confirmUnload)
  }, [])
  useEffect(() => {
    if (userId === null) return
    const isSame = () => session.userId === userId
    // The titles of jobs are those of their commands.
    void importWithRetry(loadAllCommands)
      .then(async () => {
        if (isSame()) await loadStoredJobs(userId, Date.now())
        await sleep(endedJobsDelay)
        if (!isSame() || !hasJobs) return
        const [{ addEndedJobs }, newest] = await Promise.all([
          import('../commands/jobs/remoteRuns.ts'),
          readNewestJobs(),
        ])
        if (isSame()) addEndedJobs(newest.filter(isOwnJob))
      })
      .catch(() => undefined)
  }, [userId, hasJobs])
  useEffect(() => {
    if (own.length === 0) return
    void importWithRetry(loadAllCommands)
      .then(() => import('../commands/surfaces/host/followRemoteJobs.ts'))
      .then(
        ({ followRemoteJobs }) => followRemoteJobs(own),
        // Without its code, the jobs screen still shows their progress.
        () => undefined,
      )
  }, [own])
  return own
}

const noJobs: readonly Job[] = []
