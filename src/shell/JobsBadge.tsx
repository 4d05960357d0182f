import { useSnapshot } from 'valtio'
import { jobs } from '../commands/core/runs/jobs.ts'
import { commandOf } from '../commands/core/registry.ts'
import { CommandButton } from '../commands/surfaces/buttons/CommandButton.tsx'
import { NavigationBadge } from './NavigationBadge.tsx'
import { useJobs } from './useJobs.ts'

/**
 * The link to the jobs with the number of running jobs. Hidden without jobs, and on narrow screens unless one is
 * running.
 */
export function JobsBadge() {
  const own = useJobs()
  const { list } = useSnapshot(jobs)
  const running = own.length + list.filter(({ state, remote: id }) => state === 'running' && id === undefined).length
  if (list.length === 0 && running === 0) return null
  return (
    <span className={`relative ${running === 0 ? 'max-sm:hidden' : ''}`}>
      <CommandButton command={commandOf('go.jobs')} iconOnly />
      {running > 0 && (
        <span className="pointer-events-none absolute inset-0">
          <NavigationBadge
            number={String(running)}
            rest={running === 1 ? ' job is running' : ' jobs are running'}
            title={running === 1 ? '1 job is running' : `${running} jobs are running`}
            small
          />
        </span>
      )}
    </span>
  )
}
