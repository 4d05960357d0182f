/** The approval of the steps of a script. */
import { ApiError } from '../../api/errors.ts'
import { isAbort } from '../core/execution/execute.ts'
import { planChanges } from '../core/execution/planChanges.ts'
import type { DryRun } from '../core/types.ts'
import type { ReadyStep, ScriptHost, ScriptPreview } from './scriptHost.ts'

/**
 * Returns the current dry runs once the person has approved exactly these, or undefined if they cancel. Shows the
 * preview again whenever a dry run has changed since its approval. `approvedBefore`: dry runs that the person has
 * approved already, which are not shown unless they have changed.
 */
export async function approvePlans(
  host: ScriptHost,
  preview: Pick<ScriptPreview, 'script' | 'results' | 'steps'>,
  approvedBefore?: readonly DryRun[],
): Promise<readonly DryRun[] | undefined> {
  let answer = approvedBefore ?? (await host.preview({ ...preview, plans: undefined, changed: [] }))
  while (answer) {
    const approved = answer
    const plans = await dryRunAll(preview.steps, host.signal)
    if (host.signal.aborted) return undefined
    const changed = plans?.map((plan, index) => planChanges(approved[index] ?? plan, plan)) ?? []
    if (plans && changed.every(({ length }) => length === 0)) return plans
    // Without plans the preview repeats the dry runs itself, and shows their error.
    answer = await host.preview({ ...preview, plans, changed })
  }
  return undefined
}

/** Returns the dry runs of the steps, or undefined if one failed or was aborted. */
async function dryRunAll(steps: readonly ReadyStep[], signal: AbortSignal): Promise<readonly DryRun[] | undefined> {
  try {
    return await Promise.all(steps.map(step => step.dryRun(signal)))
  } catch (error) {
    if (error instanceof ApiError || isAbort(error)) return undefined
    throw error
  }
}
