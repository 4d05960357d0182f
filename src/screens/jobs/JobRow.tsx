import { memo, type ReactNode, type RefObject } from 'react'
import { useJob } from '../../api/jobs/jobList.ts'
import type { Job as ServerJob } from '../../api/contract/jobs.ts'
import { findCommand } from '../../commands/core/registry.ts'
import { jobs, type Job } from '../../commands/core/runs/jobs.ts'
import { countOf } from '../../commands/core/wording.ts'
import type { JobEntry } from '../../commands/jobs/entries.ts'
import { inputText } from '../../commands/jobs/inputText.ts'
import { enterOutcomes, showJob } from '../../commands/jobs/moves.ts'
import {
  formatDuration,
  formatTimeLeft,
  outcomeCounts,
  outcomeKinds,
  outcomeName,
} from '../../commands/jobs/outcomes.ts'
import { rateOf, serverRateOf } from '../../commands/jobs/rate.ts'
import { titleOf } from '../../commands/jobs/serverActions.ts'
import { commandOfJob } from '../../commands/jobs/serverCommands.ts'
import {
  countsText,
  jobSizeText,
  markOf,
  nextText,
  policyWords,
  untilText,
  wavesText,
  type Mark,
} from '../../commands/jobs/serverJobs.ts'
import { formatNumber, formatTimeAgo } from '../../domain/format.ts'
import { isRunning, newerOf } from '../../domain/jobs/counts.ts'
import { useMeasuredRef, useRowFocus } from '../../ui/focus/rowFocus.ts'
import { useNow } from '../../ui/useNow.ts'
import { JobBar, JobMark, localMark, ServerJobBar } from './JobMark.tsx'

export interface JobRowProps {
  index: number
  /** Pixels from the top of the list. */
  top: number
  shown: boolean
  focused: boolean
  /** The keyboard move that focused the row; 0 for none. */
  focusMove: number
  /** The last keyboard move whose focus was handled. */
  handledMove: RefObject<number>
  /** Whether a press opens the results, because they are not shown beside the list. */
  opens: boolean
  measure: (element: HTMLElement | null) => void
}

/** A job in the list: what it does to how many, its state, its progress and its time. */
export function JobRow({ entry, undone, ...props }: JobRowProps & { entry: JobEntry; undone: boolean }) {
  return entry.is === 'local' ? (
    <LocalRow job={entry.job} {...props} />
  ) : (
    <ServerRow job={entry.job} title={titleOf(entry.job)} undone={undone} {...props} />
  )
}

function LocalRow({ job, ...props }: JobRowProps & { job: Job }) {
  const command = findCommand(job.command)
  return (
    <Row
      {...props}
      id={job.id}
      title={job.title}
      count={countOf(job.total, job.entity)}
      mark={localMark(job)}
      about={wordsText(command ? inputText(command, job.detail.input) : [])}
      bar={<JobBar job={job} />}
      counts={localCounts(job)}
      time={job.state === 'running' ? <TimeLeft job={job} /> : <StartedAgo at={job.startedAt} />}
    />
  )
}

interface ServerRowProps extends JobRowProps {
  job: ServerJob
  title: string
  undone: boolean
}

/** Rendered again only if its job has changed, because the list is read again and again while any job runs. */
const ServerRow = memo(function ServerRow({ job: listed, title, undone, ...props }: ServerRowProps) {
  const { data: alone } = useJob(isRunning(listed) ? listed._id : undefined)
  const job = newerOf(alone, listed) ?? listed
  const command = commandOfJob(job)
  const about = [
    job.login,
    wordsText(command && job.kind !== 'undo' ? inputText(command, job.input) : []),
    wavesText(job),
    ...policyWords(job.policy),
    untilText(job),
  ]
  return (
    <Row
      {...props}
      id={job._id}
      title={job.kind === 'retry' ? `${title} (retry)` : title}
      count={jobSizeText(job)}
      mark={markOf(job, undone)}
      about={about.filter(Boolean).join(' · ')}
      bar={<ServerJobBar job={job} />}
      counts={countsText(job)}
      time={job.state === 'ended' ? <StartedAgo at={Date.parse(job.created_at)} /> : <Next job={job} />}
    />
  )
})

interface Shown extends JobRowProps {
  id: string
  title: string
  count: string
  mark: Mark
  about: string
  bar: ReactNode
  counts: string
  time: ReactNode
}

function Row({ id, index, shown, focused, opens, ...props }: Shown) {
  const element = useRowFocus<HTMLDivElement>(props.focusMove, props.handledMove)
  const attach = useMeasuredRef(element, props.measure)
  const focusJob = () => {
    showJob(id)
    jobs.view.job = id
    jobs.view.within = 'jobs'
  }
  return (
    <div
      ref={attach}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={shown}
      tabIndex={shown ? 0 : -1}
      data-command={opens ? 'job.open' : 'job.down'}
      data-id={id}
      data-index={index}
      className={`absolute inset-x-0 grid cursor-pointer gap-1.5 border-b border-line px-4 py-2.5 ${shown ? 'bg-accent-soft' : 'hover:bg-sunk'} ${focused ? 'row-focused' : 'outline-offset-[-2px]'}`}
      style={{ top: props.top }}
      onFocus={event => event.target === event.currentTarget && !focused && focusJob()}
      onClick={() => {
        focusJob()
        if (opens) enterOutcomes()
      }}
      onDoubleClick={() => enterOutcomes()}
    >
      <div role="gridcell" className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate">
          <b className="font-semibold">{props.title}</b> <span className="text-ink2 tabular-nums">{props.count}</span>
        </span>
        <JobMark {...props.mark} />
      </div>
      {props.about && (
        <div role="gridcell" className="truncate text-[12px] text-ink2" title={props.about}>
          {props.about}
        </div>
      )}
      {props.bar}
      <div role="gridcell" className="flex flex-wrap justify-between gap-x-3 text-[12px] text-ink2 tabular-nums">
        <span>{props.counts}</span>
        {props.time}
      </div>
    </div>
  )
}

const wordsText = (words: ReturnType<typeof inputText>): string =>
  words.map(({ label, value }) => `${label} ${value}`).join(' · ')

/** Returns the counts of a job of this browser as text: `9 done · 2 failed · 1 skipped`. */
function localCounts(job: Job): string {
  const counts = outcomeCounts(job)
  return outcomeKinds
    .filter(kind => counts[kind] > 0)
    .map(kind => `${formatNumber(counts[kind])} ${outcomeName(kind, job.state).toLowerCase()}`)
    .join(' · ')
}

function TimeLeft({ job }: { job: Job }) {
  const now = useNow(1000)
  return (
    <span>
      {formatTimeLeft(job, rateOf(job, now)) ?? `running for ${formatDuration(Math.max(0, now - job.startedAt))}`}
    </span>
  )
}

/** What a job of the server does next. */
function Next({ job }: { job: ServerJob }) {
  const now = useNow(1000)
  return <span>{nextText(job, serverRateOf(job, now), now)}</span>
}

function StartedAgo({ at }: { at: number }) {
  return <span>{formatTimeAgo(new Date(at).toISOString(), useNow())}</span>
}
