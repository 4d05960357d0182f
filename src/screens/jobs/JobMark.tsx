import { toneClasses } from '../../commands/surfaces/buttons/tones.ts'
import { outcomeCounts, stateLabel } from '../../commands/jobs/outcomes.ts'
import type { Mark } from '../../commands/jobs/serverJobs.ts'
import type { Job } from '../../commands/core/runs/jobs.ts'
import type { Job as ServerJob } from '../../api/contract/jobs.ts'
import type { Tone } from '../../domain/device.ts'

function toneOf({ state, done, failed, undone, cancelling }: Readonly<Job>): Tone {
  if (state === 'running') return cancelling ? 'warn' : 'busy'
  if (undone) return 'mute'
  if (state === 'cancelled' || state === 'lost') return 'warn'
  if (failed === 0) return 'ok'
  return done === 0 ? 'bad' : 'warn'
}

/** Returns the mark of a job of this browser. */
export const localMark = (job: Readonly<Job>): Mark => ({ label: stateLabel(job), tone: toneOf(job) })

/** A job's state: running, done, partly done and so on. */
export function JobMark({ label, tone }: Mark) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-[5px] px-[7px] py-0.5 text-[11.5px] font-medium whitespace-nowrap ${toneClasses[tone]}`}
    >
      <span className="size-1.5 shrink-0 rounded-full bg-current" />
      {label}
    </span>
  )
}

interface Part {
  readonly colour: string
  readonly count: number
}

/** A bar of shares; hidden from screen readers, as the text beside it says the same. */
function Bar({ parts, total }: { parts: readonly Part[]; total: number }) {
  return (
    <div className="flex h-1 overflow-hidden rounded-full bg-mute-soft" aria-hidden="true">
      {parts
        .filter(({ count }) => count > 0)
        .map(({ colour, count }) => (
          <div key={colour} className={colour} style={{ width: `${total > 0 ? (count / total) * 100 : 0}%` }} />
        ))}
    </div>
  )
}

/** The shares done, failed and skipped of a job of this browser. */
export function JobBar({ job }: { job: Job }) {
  const { done, failed, skipped } = outcomeCounts(job)
  return (
    <Bar
      total={job.total}
      parts={[
        { colour: 'bg-ok', count: done + job.inFlight.done },
        { colour: 'bg-bad', count: failed + job.inFlight.failed },
        { colour: 'bg-ink3', count: skipped },
      ]}
    />
  )
}

/** The shares of a job of the server by the state of its tasks; queued ones are left empty. */
export function ServerJobBar({ job: { counts, total } }: { job: ServerJob }) {
  return (
    <Bar
      total={total}
      parts={[
        { colour: 'bg-ok', count: counts.done },
        { colour: 'bg-bad', count: counts.refused + counts.unanswered + counts.expired },
        { colour: 'bg-ink3', count: counts.skipped + counts.cancelled },
        { colour: 'bg-busy', count: counts.sent },
        { colour: 'bg-warn', count: counts.waiting },
      ]}
    />
  )
}
