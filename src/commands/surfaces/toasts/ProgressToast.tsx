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

/** How far something is that is not a job: rows that are fetched, a file that is written. */
export interface Far {
  done: number
  total: number
}

/** What takes its time: how far it is, and a way to stop it. */
export function FarToast({ title, far, onCancel }: { title: string; far: Far; onCancel: () => void }) {
  const { done, total } = useSnapshot(far)
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

/** A job as it runs: done, failed, left, how fast. */
export function JobToast({ title, job }: { title: string; job: Job }) {
  const { meanwhile, cancelling, ...all } = useSnapshot(job)
  const rate = rateOf(job, useNow(500))
  // What it leaves alone is no part of what there is to do.
  const skipped = job.detail.skipped.size
  const done = all.done + meanwhile.done
  const failed = all.failed - skipped + meanwhile.failed
  const total = all.total - skipped
  const ended = done + failed
  const text = (count: number, what: string) => `${count.toLocaleString('en')} ${what}`
  return (
    <Frame
      title={title}
      ended={ended}
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
        <span>{text(total - ended, 'left')}</span>
        {rate !== undefined && <span className="ml-auto">{formatRate(rate)}</span>}
      </p>
    </Frame>
  )
}

/** Ends just that job; the key, which ends what began last, is shown where that is the same. */
function CancelButton({ job }: { job: string }) {
  const { list } = useSnapshot(jobs)
  const latest = list.find(({ state, cancelling }) => state === 'running' && !cancelling)?.id === job
  return latest ? (
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
  // A text that comes with its region often is not heard, so the region is there before it.
  const [heard, setHeard] = useState(false)
  useEffect(() => {
    const there = setTimeout(() => setHeard(true), 100)
    return () => clearTimeout(there)
  }, [])
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1">
          {title}…{' '}
          {total > 0 && (
            <span className="numeric text-ink2">{`${ended.toLocaleString('en')} of ${total.toLocaleString('en')}`}</span>
          )}
        </span>
        {cancel}
      </div>
      {children}
      <span role="status" aria-live="polite" className="sr-only">
        {heard && spoken.text}
      </span>
    </div>
  )
}
