/** Forms that are submitted with one button. */
import type { Outcome } from '../../core/runs/outcome.ts'
import type { ExecutionResult, RunTargets } from '../../core/types.ts'
import type { Entity } from '../../../store/lists.ts'
import type { SubmitOptions } from './useCommandForm.ts'

/** Submits a form, whose command acts on the given targets or on the current selection. */
export type Submit = (options: SubmitOptions) => Promise<ExecutionResult>

/**
 * Submits forms one after the other. All commands act on the targets of the first one, whatever is selected meanwhile. The first
 * one that is not done stops the others, so that its form shows the message. After the last one, the targets on which any
 * command has failed stay selected.
 */
export async function submitTogether(submits: readonly Submit[], entity: Entity): Promise<void> {
  let on: RunTargets | undefined
  let failedIn: string | undefined
  const failed = new Map<string, Outcome['failed'][number]>()
  for (const submit of submits) {
    const result = await submit({ ...(on && { targets: on.targets, source: on.source }), keepsSelection: true })
    if (result.is !== 'done') return
    const { outcome, on: ranOn } = result
    on ??= ranOn
    if (outcome && outcome.failed.length > 0) failedIn = ranOn?.job
    for (const failure of outcome?.failed ?? []) failed.set(failure.id, failure)
  }
  if (!on) return
  const { targets } = on
  const done = targets.map(({ id }) => id).filter(id => !failed.has(id))
  const { keepFailedSelected } = await import('../../core/execution/settle.ts')
  keepFailedSelected(entity, failedIn, targets, { done, failed: [...failed.values()] })
}
