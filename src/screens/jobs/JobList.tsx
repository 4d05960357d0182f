import { useCallback, useEffect, useMemo, useRef, type RefObject } from 'react'
import type { JobsView } from '../../commands/core/runs/jobs.ts'
import { isUndone, type JobEntry } from '../../commands/jobs/entries.ts'
import { showMoreJobs } from '../../commands/jobs/moves.ts'
import { JobRow } from './JobRow.tsx'
import { useVirtualRows } from './useVirtualRows.ts'

const estimatedHeight = 91

interface Props {
  list: readonly JobEntry[]
  /** The number of all jobs, also those that are not loaded yet. */
  count: number
  /** The id of the job whose details are shown. */
  shown: string | undefined
  view: Readonly<JobsView>
  handledMove: RefObject<number>
  /** Whether a press opens the results, because they are not shown beside the list. */
  opens: boolean
}

/** All jobs, newest first, virtualized. Older ones of the server are loaded when the end is reached. */
export function JobList({ list, count, shown, view, handledMove, opens }: Props) {
  'use no memo'
  const scroller = useRef<HTMLDivElement>(null)
  const shownIndex = list.findIndex(({ id }) => id === shown)
  const focusedIndex = view.within === 'jobs' && view.job !== undefined ? shownIndex : -1
  const virtualizer = useVirtualRows({
    scroller,
    count: list.length,
    estimatedHeight,
    keyOf: useCallback((index: number) => list[index]?.id ?? index, [list]),
    focusedIndex,
    moves: view.moves,
  })
  const undone = useUndone(list)
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const isEndNear = list.length < count && last >= list.length - 5
  useEffect(() => {
    if (isEndNear) showMoreJobs()
  }, [isEndNear, list.length])
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Jobs"
      aria-rowcount={count}
      aria-busy={list.length < count && isEndNear}
      className="min-h-0 flex-1 overflow-auto bg-panel"
    >
      <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start, key }) => {
          const entry = list[index]
          return (
            entry && (
              <JobRow
                key={key}
                entry={entry}
                undone={undone.has(entry.id)}
                index={index}
                top={start}
                shown={index === shownIndex}
                focused={index === focusedIndex}
                focusMove={index === focusedIndex ? view.moves : 0}
                handledMove={handledMove}
                opens={opens}
                measure={virtualizer.measureElement}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

/** Returns the ids of the server's jobs that an undo has restored. */
function useUndone(list: readonly JobEntry[]): ReadonlySet<string> {
  return useMemo(() => {
    const all = list.flatMap(entry => (entry.is === 'server' ? [entry.job] : []))
    const parents = new Set(all.flatMap(({ kind, parent }) => (kind === 'undo' && parent !== null ? [parent] : [])))
    return new Set(all.filter(job => parents.has(job._id) && isUndone(job, all)).map(({ _id }) => _id))
  }, [list])
}
