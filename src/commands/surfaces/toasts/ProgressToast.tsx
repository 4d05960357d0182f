import { useEffect, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { useNow } from '../../../ui/useNow.ts'
import { jobs, type Job } from '../../core/runs/jobs.ts'
import { formatRate } from '../../jobs/outcomes.ts'
import { rateOf } from '../../jobs/rate.ts'
import { commandOf } from '../../core/registry.ts'
import { spokenAt, type Spoken } from '../../jobs/spokenProgress.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { formatNumber } from '../../../domain/format.ts'

/** The progress of a task that is not a job, such as reading rows or writing a file. */
export interface TaskProgress {
  title: string
  done: number
  total: number
}

/** Shows the progress of a task, with a button to cancel it. */
export function TaskToast({ progress, onCancel }: { progress: TaskProgress; onCancel: () => void }) {
  const { title, done, total } = useSnapshot(progress)
  return (
    <Frame
      title={title}
      ended={done}
      total={total}
      cancel={
        <button type="button" className="btn" data-command="run.cancel" onClick={onCancel}>
          Cancel
        </button>
      }
    >
      <Bar parts={[{ count: done, tone: 'bg-accent' }]} total={total} />
    </Frame>
  )
}

/** Shows the progress of a job: its counts, its rate, and a button to cancel it. */
export function JobToast({ title, job }: { title: string; job: Job }) {
  const { inFlight, cancelling, ...all } = useSnapshot(job)
  const rate = rateOf(job, useNow(500))
  // Skipped targets are part of the job's totals, but not of its progress.
  const skipped = job.detail.skipped.size
  const done = all.done + inFlight.done
  const failed = all.failed - skipped + inFlight.failed
  const total = all.total - skipped
  const endedCount = done + failed
  const text = (count: number, what: string) => `${formatNumber(count)} ${what}`
  return (
    <Frame
      title={title}
      ended={endedCount}
      total={total}
      cancel={cancelling ? <span className="py-1 text-ink2">Stopping…</span> : <CancelButton job={job.id} />}
    >
      <Bar
        parts={[
          { count: done, tone: 'bg-accent' },
          { count: failed, tone: 'bg-warn' },
        ]}
        total={total}
      />
      <p className="numeric flex flex-wrap gap-x-3 text-[12px] text-ink2">
        <span>{text(done, 'done')}</span>
        <span className={failed > 0 ? 'text-warn' : ''}>{text(failed, 'failed')}</span>
        {skipped > 0 && <span>{text(skipped, 'skipped')}</span>}
        <span>{text(total - endedCount, 'left')}</span>
        {rate !== undefined && <span className="ml-auto">{formatRate(rate)}</span>}
      </p>
    </Frame>
  )
}

/** Cancels the job. For the newest job it runs the command with a key, so that the key is shown. */
function CancelButton({ job }: { job: string }) {
  const { list } = useSnapshot(jobs)
  const isNewest = list.find(({ state, cancelling }) => state === 'running' && !cancelling)?.id === job
  return isNewest ? (
    <CommandButton command={commandOf('run.cancel')} label="Cancel" plain />
  ) : (
    <CommandButton command={commandOf('run.cancelJob')} label="Cancel" input={{ job }} />
  )
}

function Frame(props: { title: string; ended: number; total: number; cancel: ReactNode; children: ReactNode }) {
  const { title, ended, total, cancel, children } = props
  const now = useNow(1000)
  const [spoken, setSpoken] = useState<Spoken>(() => spokenAt(undefined, title, ended, total, now))
  const next = spokenAt(spoken, title, ended, total, now)
  if (next !== spoken) setSpoken(next)
  // Screen readers often ignore text that is added together with its live region, so the text is added later.
  const [announces, setAnnounces] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setAnnounces(true), 100)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1">
          {title}…{' '}
          {total > 0 && <span className="numeric text-ink2">{`${formatNumber(ended)} of ${formatNumber(total)}`}</span>}
        </span>
        {cancel}
      </div>
      {children}
      <span role="status" aria-live="polite" className="sr-only">
        {announces && spoken.text}
      </span>
    </div>
  )
}
