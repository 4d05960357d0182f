import type { VirtualItem } from '@tanstack/react-virtual'
import { memo, useCallback, useRef, type ReactNode, type RefObject } from 'react'
import { taskCount, tasksPerPage, useTaskPage, type TaskFilter } from '../../api/jobs/jobList.ts'
import type { Job, Task } from '../../api/contract/jobs.ts'
import { jobs, type JobsView } from '../../commands/core/runs/jobs.ts'
import { focusedTaskIndex } from '../../commands/jobs/moves.ts'
import { taskTones } from '../../commands/jobs/serverJobs.ts'
import { taskStateNames } from '../../domain/columns/jobs.ts'
import { formatDateTime } from '../../domain/format.ts'
import { NoTargets, TargetGrid, TargetName, TargetOutcomeCell, TargetRow, type TargetRowProps } from './TargetGrid.tsx'
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
  if (count === 0) return <NoTargets>No devices in this state.</NoTargets>
  return (
    <TargetGrid scroller={scroller} rowCount={count} columnCount={4} height={virtualizer.getTotalSize()}>
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
    </TargetGrid>
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

interface RowProps extends TargetRowProps {
  /** Undefined until it has been read. */
  task: Task | undefined
}

const TaskRow = memo(function TaskRow({ task, ...props }: RowProps) {
  const focusTask = () => Object.assign(jobs.view, { within: 'outcomes', target: task?.bssid, at: props.index })
  return (
    <TargetRow {...props} id={task?.bssid} minHeight={estimatedHeight} onFocus={focusTask}>
      {task ? (
        <TaskCells task={task} focused={props.focused} onFocus={focusTask} />
      ) : (
        <span role="gridcell" aria-label="Loading" className="skeleton h-3 w-1/2" />
      )}
    </TargetRow>
  )
})

function TaskCells({ task, focused, onFocus }: { task: Task; focused: boolean; onFocus: () => void }) {
  const { bssid, state, reason, attempts } = task
  const text = [reason, attempts > 1 && `${attempts} attempts`].filter(Boolean).join(' · ')
  return (
    <>
      <TargetName name={bssid} mono focused={focused} onFocus={onFocus} />
      <TargetOutcomeCell tone={taskTones[state]} width="w-[86px]">
        {taskStateNames[state]}
      </TargetOutcomeCell>
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
