import { toneClasses } from '../../commands/surfaces/buttons/tones.ts'
import { outcomeCounts, stateLabel } from '../../commands/jobs/outcomes.ts'
import type { Job } from '../../commands/core/runs/jobs.ts'
import type { Tone } from '../../domain/device.ts'

function toneOf({ state, done, failed, undone, cancelling }: Readonly<Job>): Tone {
  if (state === 'running') return cancelling ? 'warn' : 'busy'
  if (undone) return 'mute'
  if (state === 'cancelled' || state === 'lost') return 'warn'
  if (failed === 0) return 'ok'
  return done === 0 ? 'bad' : 'warn'
}

/** A job's state: running, done, partly done and so on. */
export function JobMark({ job }: { job: Job }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-[5px] px-[7px] py-0.5 text-[11.5px] font-medium whitespace-nowrap ${toneClasses[toneOf(job)]}`}
    >
      <span className="size-1.5 shrink-0 rounded-full bg-current" />
      {stateLabel(job)}
    </span>
  )
}

/** A bar of the shares done, failed and skipped; hidden from screen readers, as the text beside it says the same. */
export function JobBar({ job }: { job: Job }) {
  const { done, failed, skipped } = outcomeCounts(job)
  const width = (count: number) => `${job.total > 0 ? (count / job.total) * 100 : 0}%`
  return (
    <div className="flex h-1 overflow-hidden rounded-full bg-mute-soft" aria-hidden="true">
      <div className="bg-ok" style={{ width: width(done + job.inFlight.done) }} />
      <div className="bg-bad" style={{ width: width(failed + job.inFlight.failed) }} />
      <div className="bg-ink3" style={{ width: width(skipped) }} />
    </div>
  )
}
