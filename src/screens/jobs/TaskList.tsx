import type { VirtualItem } from '@tanstack/react-virtual'
import { memo, useCallback, useRef, type ReactNode, type RefObject } from 'react'
import { taskCount, tasksPerPage, useTaskPage, type TaskFilter } from '../../api/jobs/jobList.ts'
import type { Job, Task } from '../../api/contract/jobs.ts'
import { jobs, type JobsView } from '../../commands/core/runs/jobs.ts'
import { focusedTaskIndex } from '../../commands/jobs/moves.ts'
import { taskTones } from '../../commands/jobs/serverJobs.ts'
import { toneClasses } from '../../commands/surfaces/buttons/tones.ts'
import { run } from '../../commands/surfaces/run/run.ts'
import { taskStateNames } from '../../domain/columns/jobs.ts'
import { formatDateTime } from '../../domain/format.ts'
import { useMeasuredRef, useRowFocus } from '../../ui/focus/rowFocus.ts'
import { useVirtualRows } from './useVirtualRows.ts'

const estimatedHeight = 37

interface Props {
  job: Job
  filter: TaskFilter
  view: Readonly<JobsView>
  handledMove: RefObject<number>
}

/** The tasks of a job of the server, virtualized; pages are read when they come into view. */
export function TaskList({ job, filter, view, handledMove }: Props) {
  'use no memo'
  const { moves, within } = view
  const count = taskCount(job, filter)
  const scroller = useRef<HTMLDivElement>(null)
  const index = focusedTaskIndex(job, view)
  const focusedIndex = within === 'outcomes' ? index : -1
  const virtualizer = useVirtualRows({
    scroller,
    count,
    estimatedHeight,
    keyOf: useCallback((at: number) => at, []),
    focusedIndex,
    moves,
  })
  if (count === 0)
    return <p className="grid flex-1 place-content-center p-8 text-center text-ink2">No devices in this state.</p>
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Outcomes"
      aria-rowcount={count}
      aria-colcount={4}
      className="@container min-h-0 flex-1 overflow-auto"
    >
      <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {pagesOf(virtualizer.getVirtualItems()).map(([page, items]) => (
          <TaskPage key={page} id={job._id} filter={filter} page={page}>
            {tasks =>
              items.map(({ index: at, start, key }) => (
                <TaskRow
                  key={key}
                  task={tasks?.[at % tasksPerPage]}
                  index={at}
                  top={start}
                  focused={at === focusedIndex}
                  reachable={at === index}
                  focusMove={at === focusedIndex ? moves : 0}
                  handledMove={handledMove}
                  measure={virtualizer.measureElement}
                />
              ))
            }
          </TaskPage>
        ))}
      </div>
    </div>
  )
}

/** Returns the rows on screen by the page of tasks that has them. */
function pagesOf(items: readonly VirtualItem[]): readonly (readonly [page: number, items: readonly VirtualItem[]])[] {
  const pages = new Map<number, VirtualItem[]>()
  for (const item of items) {
    const page = Math.floor(item.index / tasksPerPage)
    pages.set(page, [...(pages.get(page) ?? []), item])
  }
  return [...pages]
}

interface PageProps {
  /** The id of the job. */
  id: string
  filter: TaskFilter
  page: number
  children: (tasks: readonly Task[] | undefined) => ReactNode
}

/** A page of tasks, which is read when it comes into view. When it is read again, only changed rows are rendered. */
function TaskPage({ id, filter, page, children }: PageProps) {
  const { data } = useTaskPage(id, filter, page)
  return children(data?.data)
}

interface RowProps {
  /** Undefined until it has been read. */
  task: Task | undefined
  index: number
  /** Pixels from the top of the list. */
  top: number
  focused: boolean
  /** Whether Tab reaches the row. */
  reachable: boolean
  /** The keyboard move that focused the row; 0 for none. */
  focusMove: number
  handledMove: RefObject<number>
  measure: (element: HTMLElement | null) => void
}

const TaskRow = memo(function TaskRow(props: RowProps) {
  const { task, index, focused, focusMove, handledMove, measure } = props
  const attach = useMeasuredRef(useRowFocus<HTMLDivElement>(focusMove, handledMove), measure)
  const focusTask = () => Object.assign(jobs.view, { within: 'outcomes', target: task?.bssid, at: index })
  return (
    <div
      ref={attach}
      role="row"
      aria-rowindex={index + 1}
      aria-busy={task === undefined}
      tabIndex={props.reachable ? 0 : -1}
      data-index={index}
      data-id={task?.bssid}
      data-command="job.down"
      className={`absolute inset-x-0 flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-4 py-1.5 ${focused ? 'row-focused' : 'outline-offset-[-2px]'}`}
      style={{ top: props.top, minHeight: estimatedHeight }}
      onFocus={event => event.target === event.currentTarget && !focused && focusTask()}
      onClick={focusTask}
      onDoubleClick={() => void run('job.open')}
    >
      {task ? (
        <TaskCells task={task} focused={focused} onOpen={focusTask} />
      ) : (
        <span role="gridcell" aria-label="Loading" className="skeleton h-3 w-1/2" />
      )}
    </div>
  )
})

function TaskCells({ task, focused, onOpen }: { task: Task; focused: boolean; onOpen: () => void }) {
  const { bssid, state, reason, attempts } = task
  const text = [reason, attempts > 1 && `${attempts} attempts`].filter(Boolean).join(' · ')
  return (
    <>
      <span role="gridcell" className="min-w-[136px]">
        <button
          type="button"
          tabIndex={focused ? 0 : -1}
          data-command="job.open"
          className="min-h-6 text-left font-mono text-[12px] text-accent hover:underline"
          onClick={() => {
            onOpen()
            void run('job.open')
          }}
        >
          {bssid}
        </button>
      </span>
      <span role="gridcell" className="w-[86px]">
        <span className={`rounded-[5px] px-1.5 py-0.5 text-[11.5px] font-medium ${toneClasses[taskTones[state]]}`}>
          {taskStateNames[state]}
        </span>
      </span>
      <span role="gridcell" className={`flex-1 text-ink2 [overflow-wrap:anywhere] ${text ? 'min-w-[160px]' : ''}`}>
        {text}
      </span>
      <span role="gridcell" className="text-[12px] text-ink3 tabular-nums">
        {taskTime(task)}
      </span>
    </>
  )
}

/** Returns when a task ended or was sent, when it may be sent, or until when it waits. */
function taskTime({ state, ended_at, sent_at, due_at }: Task): string | undefined {
  if (ended_at !== null) return formatDateTime(ended_at)
  if (state === 'sent' && sent_at !== null) return `sent ${formatDateTime(sent_at)}`
  if (due_at === null) return undefined
  return state === 'waiting' ? `until ${formatDateTime(due_at)}` : `from ${formatDateTime(due_at)}`
}
