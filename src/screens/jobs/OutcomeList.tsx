import { memo, useCallback, useRef, type RefObject } from 'react'
import { outcomeFilterOf } from '../../commands/jobs/entries.ts'
import { outcomeName, type OutcomeKind, type TargetOutcome } from '../../commands/jobs/outcomes.ts'
import { jobs, type Job, type JobsView } from '../../commands/core/runs/jobs.ts'
import { shownOutcomes } from '../../commands/jobs/actions.ts'
import type { Tone } from '../../domain/device.ts'
import { NoTargets, TargetGrid, TargetName, TargetOutcomeCell, TargetRow, type TargetRowProps } from './TargetGrid.tsx'
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
  if (rows.length === 0) return <NoTargets>No targets with this outcome.</NoTargets>
  return (
    <TargetGrid
      scroller={scroller}
      rowCount={rows.length}
      columnCount={job.entity === 'devices' ? 4 : 3}
      height={virtualizer.getTotalSize()}
    >
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
    </TargetGrid>
  )
}

const tones: Readonly<Record<OutcomeKind, Tone>> = { done: 'ok', failed: 'bad', skipped: 'mute', waiting: 'busy' }

interface RowProps extends TargetRowProps {
  outcome: TargetOutcome
  state: Job['state']
  mono: boolean
}

const OutcomeRow = memo(function OutcomeRow({ outcome, state, mono, ...props }: RowProps) {
  const { item, kind, reason } = outcome
  const focusOutcome = () => Object.assign(jobs.view, { within: 'outcomes', target: item.id })
  return (
    <TargetRow {...props} id={item.id} minHeight={estimatedHeight} onFocus={focusOutcome}>
      <TargetName name={item.name} mono={mono} focused={props.focused} onFocus={focusOutcome} />
      <TargetOutcomeCell tone={tones[kind]} width="w-[72px]">
        {outcomeName(kind, state)}
      </TargetOutcomeCell>
      <span role="gridcell" className="min-w-[160px] flex-1 text-ink2 [overflow-wrap:anywhere]">
        {reason}
      </span>
      {'company' in item && (
        <span role="gridcell" className="hidden w-40 truncate text-ink3 @xl:block">
          {item.company}
        </span>
      )}
    </TargetRow>
  )
})
