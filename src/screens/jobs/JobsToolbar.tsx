import { useSnapshot } from 'valtio'
import type { Job } from '../../commands/core/runs/jobs.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { connection } from '../../store/connection.ts'

/** The jobs' toolbar: the number of jobs, the number of running jobs, and commands for all of them. */
export function JobsToolbar({ list }: { list: readonly Pick<Job, 'state'>[] }) {
  const { live } = useSnapshot(connection)
  const running = list.filter(({ state }) => state === 'running').length
  return (
    <div className="flex min-h-[47px] flex-wrap items-center gap-2 border-b border-line bg-panel px-3 py-2">
      <p className="mr-auto px-1 text-ink3 tabular-nums">
        {list.length === 1 ? '1 job' : `${list.length} jobs`}
        {running > 0 && <span className="text-busy"> · {running} running</span>}
        {live === 'offline' && <span className="text-warn"> · Offline: commands cannot be sent</span>}
      </p>
      <SurfaceButtons
        on="jobs"
        overrides={{
          'job.cancelAll': running > 1 && { label: 'Cancel all' },
          'job.forgetEnded': list.length > running && {},
        }}
      />
    </div>
  )
}
