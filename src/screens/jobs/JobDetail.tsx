import type { RefObject } from 'react'
import { findCommand } from '../../commands/core/registry.ts'
import { localEntry, outcomeFilterOf } from '../../commands/jobs/entries.ts'
import { filtersOf } from '../../commands/jobs/moves.ts'
import { InputWords } from './InputWords.tsx'
import { useInputText } from './useInputText.ts'
import {
  averageTargetRate,
  formatTimeLeft,
  formatRate,
  reasonsOf,
  formatDuration,
} from '../../commands/jobs/outcomes.ts'
import { rateOf } from '../../commands/jobs/rate.ts'
import { endedOf, type Job, type JobsView } from '../../commands/core/runs/jobs.ts'
import { countOf } from '../../commands/core/wording.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { ExportMenu } from '../../commands/surfaces/buttons/ExportMenu.tsx'
import { formatNumber, formatDateTime } from '../../domain/format.ts'
import { useNow } from '../../ui/useNow.ts'
import { JobBar, JobMark, localMark } from './JobMark.tsx'
import { OutcomeFilters } from './OutcomeFilters.tsx'
import { OutcomeList } from './OutcomeList.tsx'

interface Props {
  job: Job
  view: Readonly<JobsView>
  handledMove: RefObject<number>
  /** Whether the job is shown without the list beside it. */
  alone: boolean
}

/** The details of a job of this browser: its input, progress, outcomes and commands. */
export function JobDetail({ job, view, handledMove, alone }: Props) {
  const words = useInputText(findCommand(job.command), job.detail.input)
  return (
    <section aria-labelledby="job-title" className="flex min-h-0 min-w-0 flex-1 flex-col bg-panel">
      <header className="grid gap-2.5 border-b border-line px-4 pt-3 pb-3">
        <div className="flex items-center gap-2">
          {alone && <SurfaceButtons on="jobHead" iconOnly />}
          <h2 id="job-title" className="min-w-0 flex-1 truncate text-[15px] font-semibold tracking-tight">
            {job.title}: {countOf(job.total, job.entity)}
          </h2>
          <JobMark {...localMark(job)} />
        </div>
        <InputWords words={words} />
        <JobBar job={job} />
        {job.state === 'running' ? <Progress job={job} /> : <Ended job={job} />}
        <Actions job={job} />
      </header>
      <OutcomeFilters
        // Only running and lost jobs have waiting targets.
        choices={filtersOf(localEntry(job)).filter(
          ({ filter, count }) => filter !== 'waiting' || count > 0 || filter === view.filter,
        )}
        current={outcomeFilterOf(view.filter)}
      />
      <OutcomeList job={job} view={view} handledMove={handledMove} />
    </section>
  )
}

function Progress({ job }: { job: Job }) {
  const now = useNow(1000)
  const rate = rateOf(job, now)
  return (
    <p className="text-ink2 tabular-nums">
      {[
        `${formatNumber(endedOf(job))} of ${formatNumber(job.total)}`,
        `running for ${formatDuration(Math.max(0, now - job.startedAt))}`,
        rate !== undefined && formatRate(rate),
        formatTimeLeft(job, rate),
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
  )
}

function Ended({ job }: { job: Job }) {
  const { startedAt, endedAt = startedAt, state, message } = job
  const rate = averageTargetRate(job)
  const [first, ...others] = reasonsOf(job)
  return (
    <div className="grid gap-1 text-ink2">
      <p className="tabular-nums">
        {[
          formatDateTime(new Date(startedAt).toISOString()),
          `took ${formatDuration(endedAt - startedAt)}`,
          rate !== undefined && formatRate(rate),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {state === 'lost' && (
        <p>
          The page was closed while the job was running, so the remaining outcomes are unknown. Retry runs them again.
        </p>
      )}
      {state === 'broken' && message && <p className="text-bad">{message}</p>}
      {state !== 'broken' && first && (
        <p className="tabular-nums">
          {formatNumber(first.ids.length)} × {first.reason}
          {others.length > 0 && ` and ${others.length} more ${others.length === 1 ? 'reason' : 'reasons'}`}
        </p>
      )}
    </div>
  )
}

function Actions({ job }: { job: Job }) {
  const running = job.state === 'running'
  const partlyDone = job.done < job.total && job.done > 0
  return (
    <div className="flex flex-wrap gap-2">
      <SurfaceButtons
        on="job"
        overrides={{
          'job.pause': false,
          'job.reschedule': false,
          'job.cancel': running && { label: 'Cancel', primary: true },
          'job.retry': !running && job.done < job.total && { primary: true },
          'job.undo': !running && {},
          'job.selectFailed': partlyDone && { label: 'Select unfinished' },
          'job.select': { label: 'Select all' },
          'job.export': command => <ExportMenu choices={[{ command, title: 'Outcomes of this job' }]} />,
          'job.forget': !running && { label: 'Delete' },
        }}
      />
    </div>
  )
}
