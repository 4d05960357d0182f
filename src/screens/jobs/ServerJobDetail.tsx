import type { RefObject } from 'react'
import { useJobVersions, useTaskUpdates } from '../../api/jobs/jobList.ts'
import type { Job, JobKind } from '../../api/contract/jobs.ts'
import type { JobsView } from '../../commands/core/runs/jobs.ts'
import { serverEntry, taskFilterOf } from '../../commands/jobs/entries.ts'
import { filtersOf } from '../../commands/jobs/moves.ts'
import { formatDuration, formatRate } from '../../commands/jobs/outcomes.ts'
import { serverRateOf } from '../../commands/jobs/rate.ts'
import { titleOf } from '../../commands/jobs/serverActions.ts'
import { commandOfJob } from '../../commands/jobs/serverCommands.ts'
import {
  averageTaskRate,
  jobSizeText,
  markOf,
  nextText,
  policyWords,
  wavesText,
} from '../../commands/jobs/serverJobs.ts'
import { ExportMenu } from '../../commands/surfaces/buttons/ExportMenu.tsx'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { VersionChart } from '../../commands/surfaces/dialogs/VersionChart.tsx'
import { formatNumber, formatDateTime } from '../../domain/format.ts'
import { endedCount, isRunning, retryCount } from '../../domain/jobs/counts.ts'
import { useNow } from '../../ui/useNow.ts'
import { InputWords } from './InputWords.tsx'
import { JobMark, ServerJobBar } from './JobMark.tsx'
import { OutcomeFilters } from './OutcomeFilters.tsx'
import { Reasons } from './Reasons.tsx'
import { TaskList } from './TaskList.tsx'
import { useInputText } from './useInputText.ts'

interface Props {
  job: Job
  undone: boolean
  view: Readonly<JobsView>
  handledMove: RefObject<number>
  /** Whether the job is shown without the list beside it. */
  alone: boolean
}

/** The details of a job of the server: what it does by which policy, its progress, reasons, tasks and commands. */
export function ServerJobDetail({ job, undone, view, handledMove, alone }: Props) {
  useTaskUpdates(job)
  const words = useInputText(job.kind === 'undo' ? undefined : commandOfJob(job), job.input)
  const policy = policyWords(job.policy)
  const filter = taskFilterOf(view.filter)
  return (
    <section aria-labelledby="job-title" className="flex min-h-0 min-w-0 flex-1 flex-col bg-panel">
      <header className="grid gap-2 border-b border-line px-4 pt-3 pb-3">
        <div className="flex items-center gap-2">
          {alone && <SurfaceButtons on="jobHead" iconOnly />}
          <h2 id="job-title" className="min-w-0 flex-1 truncate text-[15px] font-semibold tracking-tight">
            {titleOf(job)}: {jobSizeText(job)}
          </h2>
          <JobMark {...markOf(job, undone)} />
        </div>
        <Origin job={job} />
        <InputWords words={words} />
        {policy.length > 0 && <p className="text-[12px] text-ink2">{sentence(policy.join(' · '))}</p>}
        <ServerJobBar job={job} />
        {job.state === 'ended' ? <Ended job={job} /> : <Progress job={job} />}
        <Actions job={job} undone={undone} />
      </header>
      <Reasons job={job} />
      {job.command === 'update_firmware' && <Versions job={job} />}
      <OutcomeFilters
        choices={filtersOf(serverEntry(job)).filter(
          ({ filter: one, count }) => one === 'all' || one === 'done' || count > 0 || one === filter,
        )}
        current={filter}
      />
      <TaskList key={filter} job={job} filter={filter} view={view} handledMove={handledMove} />
    </section>
  )
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const origins: Readonly<Record<JobKind, string>> = {
  retry: 'retries another job',
  undo: 'undoes another job',
  repeat: 'repeats another job',
  call: 'call',
}

/** Which versions the devices run now. An undo installs on each device the version that it had. */
function Versions({ job }: { job: Job }) {
  const { data: versions = [] } = useJobVersions(job)
  const { version } = job.input
  const target = job.kind !== 'undo' && typeof version === 'string' ? version : undefined
  if (versions.length === 0) return null
  return (
    <div className="border-b border-line px-4 py-2">
      <VersionChart versions={versions} target={target} max={4} />
    </div>
  )
}

/** Who created the job and when, and the job that it retries or undoes. */
function Origin({ job: { login, created_at, kind, parent, until } }: { job: Job }) {
  return (
    <p className="text-[12px] text-ink2">
      {login} · <time dateTime={created_at}>{formatDateTime(created_at)}</time>
      {until !== null && ` · takes new devices until ${formatDateTime(until)}`}
      {parent !== null && (
        <>
          {' · '}
          <button
            type="button"
            data-command="job.parent"
            className="min-h-6 text-accent hover:underline"
            onClick={() => void run('job.parent')}
          >
            {origins[kind ?? 'retry']}
          </button>
        </>
      )}
    </p>
  )
}

/** The number of ended tasks and waves, the rate, and what the job does next. */
function Progress({ job }: { job: Job }) {
  const now = useNow(1000)
  const rate = serverRateOf(job, now)
  const next = nextText(job, rate, now)
  return (
    <p className={`tabular-nums ${job.state === 'paused' ? 'text-warn' : 'text-ink2'}`}>
      {[
        `${formatNumber(endedCount(job))} of ${formatNumber(job.total)}`,
        wavesText(job),
        isRunning(job) && rate !== undefined && formatRate(rate),
        next,
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
  )
}

function Ended({ job }: { job: Job }) {
  const { start_at, ended_at, reason } = job
  const rate = averageTaskRate(job)
  const took = ended_at === null ? undefined : Date.parse(ended_at) - Date.parse(start_at)
  return (
    <p className="text-ink2 tabular-nums">
      {[
        job.waves > 1 && `${job.begun} of ${job.waves} waves`,
        took !== undefined && took >= 0 && `took ${formatDuration(took)}`,
        rate !== undefined && formatRate(rate),
        reason,
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
  )
}

function Actions({ job, undone }: { job: Job; undone: boolean }) {
  const { state, counts, total } = job
  const open = state !== 'ended'
  const partlyDone = counts.done < total && counts.done > 0
  const canRetry = retryCount(job) > 0 && !undone
  return (
    <div className="flex flex-wrap gap-2">
      <SurfaceButtons
        on="job"
        overrides={{
          'job.cancel': open && { label: 'Cancel', primary: state !== 'paused' },
          'job.reschedule': state === 'scheduled' && { label: 'Reschedule' },
          'job.pause': open && { primary: state === 'paused' },
          'job.retry': canRetry && { primary: !open },
          'job.undo': !open && {},
          'job.selectFailed': partlyDone && { label: 'Select unfinished' },
          'job.select': { label: 'Select all' },
          'job.export': command => <ExportMenu choices={[{ command, title: 'Results of this job' }]} />,
          'job.forget': false,
        }}
      />
    </div>
  )
}
