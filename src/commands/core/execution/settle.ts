/** What remains after a run: the selection, the last run and the targets that failed. Loaded when first needed. */
import type { Entity } from '../../../store/lists.ts'
import { selections, type AnyItem } from '../../../store/selection.ts'
import { deselectDone } from '../runs/earlierSelection.ts'
import { forgetTargets, jobs } from '../runs/jobs.ts'
import { recordLastRun, type LastRun } from '../runs/lastRun.ts'
import { whenNothingPrompts } from '../runs/pendingCommands.ts'
import type { Outcome } from '../runs/outcome.ts'
import { findCommand } from '../registry.ts'
import { shownFailures } from '../shownFailures.ts'
import type { Command } from '../types.ts'
import { retryCommand } from './retryJob.ts'

/** A run that has ended, for a repetition or a retry. */
interface EndedRun extends Pick<LastRun, 'job'> {
  readonly command: Command
  readonly targets: readonly AnyItem[]
  readonly outcome: Outcome
  /** The message about its outcome. */
  readonly message: string
  /** Whether failures leave the selection as it is: of a script's step, and of a run that another page started. */
  readonly keepsSelection: boolean
  /** Runs a command with the same input, on these targets or on the current selection. */
  readonly again: (targets: readonly AnyItem[] | undefined, command: Command) => Promise<unknown>
}

/**
 * Deselects the targets that succeeded, if some failed, unless other rows have been selected since the run started. If another
 * command is prompting, the selection stays as it is until that is answered.
 */
export function keepFailedSelected(
  entity: Entity,
  job: string | undefined,
  targets: readonly AnyItem[],
  { done, failed }: Outcome,
): void {
  if (failed.length === 0) return
  whenNothingPrompts(() => {
    if (!isSelectionAmong(entity, targets)) return
    deselectDone(
      entity,
      job,
      done,
      failed.map(({ id }) => id),
    )
  })
}

/** Whether no other rows than these are selected. */
function isSelectionAmong(entity: Entity, targets: readonly AnyItem[]): boolean {
  const ids = new Set(targets.map(({ id }) => id))
  return selections[entity].items().every(({ id }) => ids.has(id))
}

/**
 * Records the run so that it can be repeated or its failed targets retried. If some failed, only these stay selected, unless
 * the run keeps the selection; targets that no longer exist are always deselected.
 */
export function settle({ command, targets, outcome, message, keepsSelection, job, again }: EndedRun): void {
  const { entity, removesTargets, repeatable } = command
  const reasons = new Map(outcome.failed.map(({ id, message }) => [id, message]))
  if (removesTargets && entity) whenNothingPrompts(() => deselectDone(entity, job, outcome.done, [...reasons.keys()]))
  else if (entity && !keepsSelection) keepFailedSelected(entity, job, targets, outcome)
  if (removesTargets && entity) forgetTargets(entity, outcome.done)
  if (!repeatable && reasons.size === 0) return
  const failed = targets.filter(target => reasons.has(target.id))
  const shownTargets = shownFailures(command, failed, ({ id }) => reasons.get(id))
  const remote = jobs.list.find(({ id }) => id === job)?.remote
  recordLastRun({
    job,
    again: newTargets =>
      newTargets && remote !== undefined
        ? again(newTargets, retryCommand(command, remote, newTargets))
        : // Repeating a retry repeats the original command.
          again(newTargets, newTargets ? command : (findCommand(command.id) ?? command)),
    id: command.id,
    title: command.title,
    repeatable,
    failed,
    failureReport: failed.length > 0 ? { title: message, failed: shownTargets } : undefined,
  })
}
