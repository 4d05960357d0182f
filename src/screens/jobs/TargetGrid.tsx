/** The grid of a job's targets or tasks, with the parts that their rows share. */
import type { ReactNode, RefObject } from 'react'
import { toneClasses } from '../../commands/surfaces/buttons/tones.ts'
import { run } from '../../commands/surfaces/run/run.ts'
import type { Tone } from '../../domain/device.ts'
import { useMeasuredRef, useRowFocus } from '../../ui/focus/rowFocus.ts'

interface GridProps {
  scroller: RefObject<HTMLDivElement | null>
  rowCount: number
  columnCount: number
  /** The height of all rows, in pixels. */
  height: number
  children: ReactNode
}

export const TargetGrid = ({ scroller, rowCount, columnCount, height, children }: GridProps) => (
  <div
    ref={scroller}
    role="grid"
    aria-label="Outcomes"
    aria-rowcount={rowCount}
    aria-colcount={columnCount}
    className="@container min-h-0 flex-1 overflow-auto"
  >
    <div role="rowgroup" className="relative" style={{ height }}>
      {children}
    </div>
  </div>
)

/** Instead of the grid, if no target has the outcome that is shown. */
export const NoTargets = ({ children }: { children: string }) => (
  <p className="grid flex-1 place-content-center p-8 text-center text-ink2">{children}</p>
)

/** Where a row is, and its focus. */
export interface TargetRowProps {
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

interface RowProps extends TargetRowProps {
  /** The id of the target; undefined until it has been read. */
  id: string | undefined
  minHeight: number
  onFocus: () => void
  children: ReactNode
}

export function TargetRow({ id, index, focused, minHeight, onFocus, children, ...props }: RowProps) {
  const attach = useMeasuredRef(useRowFocus<HTMLDivElement>(props.focusMove, props.handledMove), props.measure)
  return (
    <div
      ref={attach}
      role="row"
      aria-rowindex={index + 1}
      aria-busy={id === undefined}
      tabIndex={props.reachable ? 0 : -1}
      data-index={index}
      data-id={id}
      data-command="job.down"
      className={`absolute inset-x-0 flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-4 py-1.5 ${focused ? 'row-focused' : 'outline-offset-[-2px]'}`}
      style={{ top: props.top, minHeight }}
      onFocus={event => event.target === event.currentTarget && !focused && onFocus()}
      onClick={onFocus}
      onDoubleClick={() => void run('job.open')}
    >
      {children}
    </div>
  )
}

interface NameProps {
  name: string
  /** Whether the name is an id, in the font of ids. */
  mono: boolean
  focused: boolean
  /** Focuses the row. */
  onFocus: () => void
}

/** The cell with the name, which opens the target. */
export const TargetName = ({ name, mono, focused, onFocus }: NameProps) => (
  <span role="gridcell" className="min-w-[136px]">
    <button
      type="button"
      tabIndex={focused ? 0 : -1}
      data-command="job.open"
      className={`min-h-6 text-left text-accent hover:underline ${mono ? 'font-mono text-[12px]' : ''}`}
      onClick={() => {
        onFocus()
        void run('job.open')
      }}
    >
      {name}
    </button>
  </span>
)

/** The cell with the outcome. `width`: a class. */
export const TargetOutcomeCell = ({ tone, width, children }: { tone: Tone; width: string; children: string }) => (
  <span role="gridcell" className={width}>
    <span className={`rounded-[5px] px-1.5 py-0.5 text-[11.5px] font-medium ${toneClasses[tone]}`}>{children}</span>
  </span>
)
