import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import type { Job } from '../api/contract/jobs.ts'
import { importWithRetry } from '../api/importWithRetry.ts'
import { readNewestJobs, useRunningJobs } from '../api/jobs/jobList.ts'
import { loadKeptJobs } from '../commands/jobs/keptJobs.ts'
import { loadAllCommands } from '../commands/core/registry.ts'
import { anyRunningHere } from '../commands/core/runs/jobs.ts'
import { deviceRoles } from '../domain/roles.ts'
import { sleep } from '../domain/lib/retry.ts'
import { session, useRole } from '../store/session.ts'

/** Milliseconds before the ended jobs are read, which only an undo needs: the start has enough requests. */
const endedJobsDelay = 5_000

/** Asks before the page is closed while a run would stop by that. */
function confirmUnload(event: BeforeUnloadEvent): void {
  if (anyRunningHere()) event.preventDefault()
}

/**
 * Returns the running jobs of the account. Shows their progress, whichever page started them, and makes the newest jobs
 * known, so that they can be undone after a reload.
 */
export function useJobs(): readonly Job[] {
  const { userId, login } = useSnapshot(session)
  const role = useRole()
  const hasJobs = deviceRoles.some(one => one === role)
  const { data: running = noJobs } = useRunningJobs(hasJobs)
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
        if (isSame()) await loadKeptJobs(userId, Date.now())
        await sleep(endedJobsDelay)
        if (!isSame() || !hasJobs) return
        const [{ addEndedJobs }, newest] = await Promise.all([
          import('../commands/jobs/remoteRuns.ts'),
          readNewestJobs(),
        ])
        if (isSame()) addEndedJobs(ownOf(newest, session.login))
      })
      .catch(() => undefined)
  }, [userId, hasJobs])
  useEffect(() => {
    const own = ownOf(running, login)
    if (own.length === 0) return
    void importWithRetry(loadAllCommands)
      .then(() => import('../commands/surfaces/host/followRemoteJobs.ts'))
      .then(
        ({ followRemoteJobs }) => followRemoteJobs(own),
        // Without its code, the jobs screen still shows their progress.
        () => undefined,
      )
  }, [running, login])
  return ownOf(running, login)
}

const noJobs: readonly Job[] = []

/** Returns the jobs of an account: administrators see those of all accounts. */
const ownOf = (all: readonly Job[], login: string | null): readonly Job[] =>
  all.filter(job => job.login.toLowerCase() === login?.toLowerCase())
