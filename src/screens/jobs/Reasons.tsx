import { useJobReasons } from '../../api/jobs/jobList.ts'
import type { Job } from '../../api/contract/jobs.ts'
import { countOf } from '../../commands/core/wording.ts'
import { retryCount } from '../../domain/jobs/counts.ts'
import { run } from '../../commands/surfaces/run/run.ts'
import { formatNumber } from '../../domain/format.ts'

/** Why devices did not do a job, most frequent first, each with a retry of these devices alone. */
export function Reasons({ job }: { job: Job }) {
  const { data: reasons } = useJobReasons(job._id)
  if (retryCount(job) === 0 || reasons?.length === 0) return null
  return (
    <ul aria-label="Reasons" className="max-h-[132px] shrink-0 overflow-auto border-b border-line px-4 py-1.5">
      {/* Most jobs have one reason: what is below does not move when it arrives. */}
      {reasons === undefined && <li className="min-h-7" />}
      {reasons?.map(({ reason, count }) => (
        <li key={reason} className="flex items-center gap-3 py-0.5">
          <span className="min-w-0 flex-1 text-ink2 [overflow-wrap:anywhere]">
            <b className="font-medium text-ink tabular-nums">{formatNumber(count)}</b> × {reason}
          </span>
          <button
            type="button"
            data-command="job.retryReason"
            aria-label={`Retry ${countOf(count, 'devices')}: ${reason}`}
            className="min-h-6 shrink-0 text-[12px] text-accent hover:underline"
            onClick={() => void run('job.retryReason', { input: { reason } })}
          >
            Retry these
          </button>
        </li>
      ))}
    </ul>
  )
}
