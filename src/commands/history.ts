/** What ran last, so that it can be repeated and what failed can be retried. */
import { proxy, ref } from 'valtio'
import type { ShownFailure } from '../store/overlays.ts'
import type { AnyItem } from '../store/selection.ts'

export interface LastRun {
  readonly id: string
  readonly title: string
  readonly input: unknown
  /** The targets on which it failed. */
  readonly failed: readonly AnyItem[]
  /** What was said of it, and why each failed; ready to be shown. */
  readonly told: { readonly title: string; readonly failed: readonly ShownFailure[] } | undefined
}

export const runs = proxy<{ last: LastRun | undefined }>({ last: undefined })

export const lastRun = (): LastRun | undefined => runs.last
export function remember(run: LastRun): void {
  runs.last = ref(run)
}
export function forgetRuns(): void {
  runs.last = undefined
}
