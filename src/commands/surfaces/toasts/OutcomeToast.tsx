/** Toasts with the outcome of a run, and buttons to undo or retry it. Loaded when first needed. */
import type { ReactNode } from 'react'
import toast from 'react-hot-toast/headless'
import { earlierSelection, stayedSelected } from '../../core/runs/earlierSelection.ts'
import { jobs } from '../../core/runs/jobs.ts'
import type { Outcome } from '../../core/runs/outcome.ts'
import { groupByReason } from '../../core/reasons.ts'
import { commandOf } from '../../core/registry.ts'
import { lastDone, lastUndone } from '../../jobs/undoCommands.ts'
import { undoable } from '../../jobs/undoJob.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { FailuresButton, RetryButton } from './FailedButtons.tsx'
import { useContextValue } from '../run/commandHooks.ts'
import { formatNumber } from '../../../domain/format.ts'

/** Shows the outcome toast of a run. `outcome` is set if some targets failed; `job` is the id of the run or its job. */
export function showOutcome(shown: {
  id: string
  message: string
  outcome: Outcome | undefined
  job: string | undefined
}): void {
  const { id, message, outcome } = shown
  const onChosen = () => toast.dismiss(id)
  const job = jobs.list.find(one => one.id === shown.job)
  const undo = job && undoable(job) && <UndoButton job={job.id} onChosen={onChosen} />
  if (outcome)
    toast.error(<OutcomeToast message={message} outcome={outcome} job={shown.job} undo={undo} onChosen={onChosen} />, {
      id,
    })
  else
    toast.success(
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1">{message}</span>
        {undo}
      </div>,
      { id },
    )
}

/** Returns the most frequent reason with its number of failures, and the number of other reasons. */
function summarizeReasons(outcome: Outcome): string {
  const [first, ...rest] = groupByReason(outcome.failed)
  return first ? `${first.ids.length} × ${first.reason}${rest.length > 0 ? ` and ${rest.length} more` : ''}` : ''
}

/** A partial success: how many succeeded, why the others failed, and buttons to undo, view failures and retry. */
function OutcomeToast(props: {
  message: string
  outcome: Outcome
  job: string | undefined
  undo: ReactNode
  onChosen: () => void
}) {
  const { done, failed } = props.outcome
  const shared = { job: props.job, onChosen: props.onChosen }
  const total = done.length + failed.length
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <span className="rounded-[5px] bg-warn-soft px-1.5 py-0.5 text-[11.5px] font-medium whitespace-nowrap text-warn">
          {done.length} of {total}
        </span>
        <span>{props.message}</span>
      </div>
      <Bar parts={[{ count: done.length, tone: 'bg-warn' }]} total={total} />
      <p className="text-ink2">{summarizeReasons(props.outcome)}</p>
      <StayedSelected job={props.job} />
      <div className="flex flex-wrap justify-end gap-2">
        {props.undo}
        <FailuresButton {...shared} />
        <RetryButton {...shared} plain />
      </div>
    </div>
  )
}

/** Says which rows stayed selected, and selects the others again; empty once the selection has changed. */
function StayedSelected({ job }: { job: string | undefined }) {
  const shown = useContextValue(() => job !== undefined && earlierSelection()?.job === job)
  const earlier = shown ? earlierSelection() : undefined
  if (!earlier) return null
  return (
    <div className="flex flex-wrap items-center gap-2 text-ink2">
      <span className="min-w-0 flex-1">{stayedSelected(earlier.left.size)}</span>
      <CommandButton
        command={commandOf('select.earlier')}
        label={`Select all ${formatNumber(earlier.items.length)} again`}
        plain
      />
    </div>
  )
}

/** Undoes or redoes the toast's job. For the last job it runs the command with a key, so that the key is shown. */
function UndoButton({ job, onChosen }: { job: string; onChosen: () => void }) {
  const commandWithKey = useContextValue(() =>
    lastDone()?.id === job ? 'run.undo' : lastUndone()?.id === job ? 'run.redo' : undefined,
  )
  const label = jobs.list.find(({ id }) => id === job)?.command === 'run.undo' ? 'Redo' : 'Undo'
  return commandWithKey ? (
    <CommandButton command={commandOf(commandWithKey)} label={label} plain onRun={onChosen} />
  ) : (
    <CommandButton command={commandOf('run.undoJob')} label={label} input={{ job }} onRun={onChosen} />
  )
}
