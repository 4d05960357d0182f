import { memo, useCallback, useRef, type RefObject } from 'react'
import { outcomeFilterOf } from '../../commands/jobs/entries.ts'
import { outcomeName, type OutcomeKind, type TargetOutcome } from '../../commands/jobs/outcomes.ts'
import { jobs, type Job, type JobsView } from '../../commands/core/runs/jobs.ts'
import { shownOutcomes } from '../../commands/jobs/actions.ts'
import { run } from '../../commands/surfaces/run/run.ts'
import { toneClasses } from '../../commands/surfaces/buttons/tones.ts'
import type { Tone } from '../../domain/device.ts'
import { useRowFocus, useMeasuredRef } from '../../ui/focus/rowFocus.ts'
import { useVirtualRows } from './useVirtualRows.ts'

/** The height in pixels that is assumed until a row is measured. */
const estimatedHeight = 36

interface Props {
  job: Job
  view: Readonly<JobsView>
  handledMove: RefObject<number>
}

/** The outcome of each target, virtualized. */
export function OutcomeList({ job, view, handledMove }: Props) {
  'use no memo'
  const { filter, target, moves, within } = view
  const rows = shownOutcomes(job, outcomeFilterOf(filter))
  const scroller = useRef<HTMLDivElement>(null)
  const focusedIndex = target === undefined ? -1 : rows.findIndex(({ item }) => item.id === target)
  const virtualizer = useVirtualRows({
    scroller,
    count: rows.length,
    estimatedHeight,
    keyOf: useCallback((index: number) => rows[index]?.item.id ?? index, [rows]),
    focusedIndex,
    moves,
  })
  if (rows.length === 0)
    return <p className="grid flex-1 place-content-center p-8 text-center text-ink2">No targets with this outcome.</p>
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Outcomes"
      aria-rowcount={rows.length}
      aria-colcount={job.entity === 'devices' ? 4 : 3}
      className="@container min-h-0 flex-1 overflow-auto"
    >
      <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index]
          return (
            row && (
              <OutcomeRow
                key={key}
                outcome={row}
                index={index}
                top={start}
                state={job.state}
                mono={job.entity === 'devices'}
                focused={index === focusedIndex && within === 'outcomes'}
                reachable={index === Math.max(focusedIndex, 0)}
                focusMove={index === focusedIndex && within === 'outcomes' ? moves : 0}
                handledMove={handledMove}
                measure={virtualizer.measureElement}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

const tones: Readonly<Record<OutcomeKind, Tone>> = { done: 'ok', failed: 'bad', skipped: 'mute', waiting: 'busy' }

interface RowProps {
  outcome: TargetOutcome
  index: number
  /** Pixels from the top of the list. */
  top: number
  state: Job['state']
  mono: boolean
  focused: boolean
  /** Whether Tab reaches the row. */
  reachable: boolean
  /** The keyboard move that focused the row; 0 for none. */
  focusMove: number
  handledMove: RefObject<number>
  measure: (element: HTMLElement | null) => void
}

const OutcomeRow = memo(function OutcomeRow(props: RowProps) {
  const { outcome, index, focused, focusMove, handledMove, measure } = props
  const { item, kind, reason } = outcome
  const attach = useMeasuredRef(useRowFocus<HTMLDivElement>(focusMove, handledMove), measure)
  const focusOutcome = () => Object.assign(jobs.view, { within: 'outcomes', target: item.id })
  return (
    <div
      ref={attach}
      role="row"
      aria-rowindex={index + 1}
      tabIndex={props.reachable ? 0 : -1}
      data-index={index}
      data-id={item.id}
      data-command="job.down"
      className={`absolute inset-x-0 flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-4 py-1.5 ${focused ? 'row-focused' : 'outline-offset-[-2px]'}`}
      style={{ top: props.top, minHeight: estimatedHeight }}
      onFocus={event => event.target === event.currentTarget && !focused && focusOutcome()}
      onClick={focusOutcome}
      onDoubleClick={() => void run('job.open')}
    >
      <span role="gridcell" className="min-w-[136px]">
        <button
          type="button"
          tabIndex={focused ? 0 : -1}
          data-command="job.open"
          className={`min-h-6 text-left text-accent hover:underline ${props.mono ? 'font-mono text-[12px]' : ''}`}
          onClick={() => {
            focusOutcome()
            void run('job.open')
          }}
        >
          {item.name}
        </button>
      </span>
      <span role="gridcell" className="w-[72px]">
        <span className={`rounded-[5px] px-1.5 py-0.5 text-[11.5px] font-medium ${toneClasses[tones[kind]]}`}>
          {outcomeName(kind, props.state)}
        </span>
      </span>
      <span role="gridcell" className="min-w-[160px] flex-1 text-ink2 [overflow-wrap:anywhere]">
        {reason}
      </span>
      {'company' in item && (
        <span role="gridcell" className="hidden w-40 truncate text-ink3 @xl:block">
          {item.company}
        </span>
      )}
    </div>
  )
})
