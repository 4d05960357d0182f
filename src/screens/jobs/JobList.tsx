import { memo, type RefObject } from 'react'
import { findCommand } from '../../commands/core/registry.ts'
import { inputText } from '../../commands/jobs/inputText.ts'
import { enterOutcomes, lookAt } from '../../commands/jobs/actions.ts'
import {
  formatTimeLeft,
  outcomeCounts,
  outcomeKinds,
  outcomeName,
  formatDuration,
} from '../../commands/jobs/outcomes.ts'
import { jobs, type Job, type JobsView } from '../../commands/core/runs/jobs.ts'
import { rateOf } from '../../commands/jobs/rate.ts'
import { countOf } from '../../commands/core/wording.ts'
import { formatTimeAgo } from '../../domain/format.ts'
import { useRowFocus } from '../../ui/focus/rowFocus.ts'
import { useNow } from '../../ui/useNow.ts'
import { JobBar, JobMark } from './JobMark.tsx'

interface Props {
  list: readonly Job[]
  /** The id of the job whose details are shown. */
  shown: string
  view: Readonly<JobsView>
  /** The last keyboard move whose focus was handled. */
  handledMove: RefObject<number>
  /** Whether a press opens the outcomes, because they are not shown beside the list. */
  opens: boolean
}

/** All jobs, newest first. */
export function JobList({ list, shown, view, handledMove, opens }: Props) {
  return (
    <div role="grid" aria-label="Jobs" aria-rowcount={list.length} className="min-h-0 flex-1 overflow-auto bg-panel">
      <div role="rowgroup">
        {list.map((job, index) => (
          <JobRow
            key={job.id}
            job={job}
            index={index}
            shown={job.id === shown}
            focused={view.within === 'jobs' && job.id === view.job}
            focusMove={view.within === 'jobs' && job.id === view.job ? view.moves : 0}
            handledMove={handledMove}
            opens={opens}
          />
        ))}
      </div>
    </div>
  )
}

interface RowProps {
  job: Job
  index: number
  shown: boolean
  focused: boolean
  /** The keyboard move that focused the row; 0 for none. */
  focusMove: number
  handledMove: RefObject<number>
  opens: boolean
}

const JobRow = memo(function JobRow({ job, index, shown, focused, focusMove, handledMove, opens }: RowProps) {
  const element = useRowFocus<HTMLDivElement>(focusMove, handledMove, true)
  const focusJob = () => {
    lookAt(job.id)
    jobs.view.job = job.id
    jobs.view.within = 'jobs'
  }
  const input = inputSummary(job)
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={shown}
      tabIndex={shown ? 0 : -1}
      data-command={opens ? 'job.open' : 'job.down'}
      data-id={job.id}
      className={`relative grid cursor-pointer gap-1.5 border-b border-line px-4 py-2.5 ${shown ? 'bg-accent-soft' : 'hover:bg-sunk'} ${focused ? 'row-focused' : 'outline-offset-[-2px]'}`}
      onFocus={event => event.target === event.currentTarget && !focused && focusJob()}
      onClick={() => {
        focusJob()
        if (opens) enterOutcomes()
      }}
      onDoubleClick={() => enterOutcomes()}
    >
      <div role="gridcell" className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate">
          <b className="font-semibold">{job.title}</b>{' '}
          <span className="text-ink2 tabular-nums">{countOf(job.total, job.entity)}</span>
        </span>
        <JobMark job={job} />
      </div>
      {input && (
        <div role="gridcell" className="truncate text-[12px] text-ink2">
          {input}
        </div>
      )}
      <JobBar job={job} />
      <div role="gridcell" className="flex flex-wrap justify-between gap-x-3 text-[12px] text-ink2 tabular-nums">
        <span>{countsSummary(job)}</span>
        <JobTime job={job} />
      </div>
    </div>
  )
})

/** Returns the job's input as text: `Mode After · Duration 18 s`. */
function inputSummary({ command, detail }: Job): string {
  const definition = findCommand(command)
  const words = definition ? inputText(definition, detail.input) : []
  return words.map(({ label, value }) => `${label} ${value}`).join(' · ')
}

/** Returns the job's counts as text: `9 done · 2 failed · 1 skipped`. */
function countsSummary(job: Job): string {
  const counts = outcomeCounts(job)
  return outcomeKinds
    .filter(kind => counts[kind] > 0)
    .map(kind => `${counts[kind].toLocaleString('en')} ${outcomeName(kind, job.state).toLowerCase()}`)
    .join(' · ')
}

const JobTime = ({ job }: { job: Job }) => (job.state === 'running' ? <TimeLeft job={job} /> : <StartedAgo job={job} />)

function TimeLeft({ job }: { job: Job }) {
  const now = useNow(1000)
  return (
    <span>
      {formatTimeLeft(job, rateOf(job, now)) ?? `running for ${formatDuration(Math.max(0, now - job.startedAt))}`}
    </span>
  )
}

function StartedAgo({ job }: { job: Job }) {
  return <span>{formatTimeAgo(new Date(job.startedAt).toISOString(), useNow())}</span>
}
