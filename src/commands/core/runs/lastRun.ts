/** What ran last, so that it can be repeated and what failed can be retried. */
import { proxy, ref } from 'valtio'
import type { ShownFailure } from '../../../domain/commands/failures.ts'
import type { AnyItem } from '../../../store/selection.ts'

export interface LastRun {
  /** The command's. */
  readonly id: string
  readonly title: string
  readonly input: unknown
  /** Its id: that of the job that it was, or one of its own. */
  readonly job?: string | undefined
  /** Gives the command with that input once more: to what is selected then, or to those. */
  readonly again: (targets?: readonly AnyItem[]) => Promise<unknown>
  /** Whether it makes sense on something else. */
  readonly repeatable: boolean
  /** The targets on which it failed. */
  readonly failed: readonly AnyItem[]
  /** What was said of it, and why each failed; ready to be shown. */
  readonly told: { readonly title: string; readonly failed: readonly ShownFailure[] } | undefined
}

export const runs = proxy<{ last: LastRun | undefined }>({ last: undefined })

export const lastRun = (): LastRun | undefined => runs.last
export function recordLastRun(run: LastRun): void {
  runs.last = ref(run)
}
export function clearLastRun(): void {
  runs.last = undefined
}
