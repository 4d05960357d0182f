/**
 * The last run, so that it can be repeated and its failed targets retried. It is not always a job, and survives the one that it
 * was: docs/decisions/last-run.md.
 */
import { proxy, ref } from 'valtio'
import type { ShownFailure } from '../../../domain/commands/failures.ts'
import type { AnyItem } from '../../../store/selection.ts'

export interface LastRun {
  /** The id of the command. */
  readonly id: string
  readonly title: string
  /** The id of the run: its job's id, or a new one if it was not a job. */
  readonly job?: string | undefined
  /** Runs the command with the same input again, on the given targets or on the current selection. */
  readonly again: (targets?: readonly AnyItem[]) => Promise<unknown>
  /** Whether it can be repeated on other targets. */
  readonly repeatable: boolean
  /** The targets on which it failed. */
  readonly failed: readonly AnyItem[]
  /** The message and the failed targets with their reasons, ready to be shown. */
  readonly failureReport: { readonly title: string; readonly failed: readonly ShownFailure[] } | undefined
}

export const runs = proxy<{ last: LastRun | undefined }>({ last: undefined })

export const lastRun = (): LastRun | undefined => runs.last
export function recordLastRun(run: LastRun): void {
  runs.last = ref(run)
}
export function clearLastRun(): void {
  runs.last = undefined
}
