import { useSnapshot } from 'valtio'
import type { JobEntry } from '../../commands/jobs/entries.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { isRunning } from '../../domain/jobs/counts.ts'
import { connection } from '../../store/connection.ts'
import { plural } from '../../domain/plural.ts'

/** The jobs' toolbar: the number of jobs, the number of running jobs, and commands for all of them. */
export function JobsToolbar({ list, count }: { list: readonly JobEntry[]; count: number }) {
  const { live } = useSnapshot(connection)
  const running = list.filter(entry => (entry.is === 'local' ? entry.job.state === 'running' : isRunning(entry.job)))
  const hasEndedLocal = list.some(entry => entry.is === 'local' && entry.job.state !== 'running')
  return (
    <div className="flex min-h-[47px] flex-wrap items-center gap-2 border-b border-line bg-panel px-3 py-2">
      <p className="mr-auto px-1 text-ink3 tabular-nums">
        {plural(count, 'job')}
        {running.length > 0 && <span className="text-busy"> · {running.length} running</span>}
        {live === 'offline' && <span className="text-warn"> · Offline: commands cannot be sent</span>}
      </p>
      <SurfaceButtons
        on="jobs"
        overrides={{
          'job.cancelAll': running.length > 1 && { label: 'Cancel all' },
          'job.forgetEnded': hasEndedLocal && { label: 'Delete finished' },
        }}
      />
    </div>
  )
}
