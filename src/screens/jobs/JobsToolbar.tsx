import { useSnapshot } from 'valtio'
import type { Job } from '../../commands/core/runs/jobs.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { connection } from '../../store/connection.ts'

const cancelAll = commandOf('job.cancelAll')
const forgetEnded = commandOf('job.forgetEnded')

/** How many jobs there are, how many run, and what can be done to all of them. */
export function JobsToolbar({ list }: { list: readonly Pick<Job, 'state'>[] }) {
  const { live } = useSnapshot(connection)
  const running = list.filter(({ state }) => state === 'running').length
  return (
    <div className="flex min-h-[47px] flex-wrap items-center gap-2 border-b border-line bg-panel px-3 py-2">
      <p className="mr-auto px-1 text-ink3 tabular-nums">
        {list.length === 1 ? '1 job' : `${list.length} jobs`}
        {running > 0 && <span className="text-busy"> · {running} running</span>}
        {live === 'offline' && <span className="text-warn"> · Offline: nothing can be sent</span>}
      </p>
      {running > 1 && <CommandButton command={cancelAll} label="Cancel all" />}
      {list.length > running && <CommandButton command={forgetEnded} label="Forget all" />}
    </div>
  )
}
