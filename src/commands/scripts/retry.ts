/** Retrying the failures of a script: each step runs again on the targets that it failed on. */
import type { ShownFailure } from '../../domain/commands/failures.ts'
import type { LastRun } from '../core/runs/lastRun.ts'
import type { ScriptResult } from './scriptHost.ts'
import type { ScriptInvocation } from '../core/scriptInvocation.ts'
import { stepTitle } from './steps.ts'

/** Runs with failures, by the index of their step from 0. */
export type FailedRuns = Map<number, Pick<LastRun, 'failed' | 'failureReport' | 'again'>>

/** Returns the retry of all steps, or undefined if no step failed on or skipped a target. */
export function retryOf(
  { script }: Pick<ScriptInvocation, 'script'>,
  { results }: Pick<ScriptResult, 'results'>,
  runs: FailedRuns,
): Pick<LastRun, 'failed' | 'failureReport' | 'again'> | undefined {
  const steps = results.flatMap(({ index }) => {
    const run = runs.get(index)
    const step = script.steps[index]
    return run && step && run.failed.length > 0
      ? [{ run, items: run.failed, failures: run.failureReport?.failed ?? [], title: stepTitle(step) }]
      : []
  })
  const [first] = steps
  if (!first) return undefined
  const several = steps.length > 1
  return {
    // Each target once, even if several steps failed on it.
    failed: [...new Map(steps.flatMap(({ items }) => items).map(item => [item.id, item])).values()],
    failureReport: {
      title: several ? `“${script.name}”` : (first.run.failureReport?.title ?? first.title),
      failed: several ? mergeFailures(steps) : first.failures,
    },
    async again(targets = []) {
      const targetIds = new Set(targets.map(({ id }) => id))
      for (const { run, items } of steps) {
        const some = items.filter(({ id }) => targetIds.has(id))
        if (some.length > 0) await run.again(some)
      }
    },
  }
}

/** Returns each failed target once, with the messages of all its failed steps. */
function mergeFailures(
  steps: readonly { title: string; failures: readonly ShownFailure[] }[],
): readonly ShownFailure[] {
  const all = new Map<string, ShownFailure>()
  for (const { title, failures } of steps)
    for (const one of failures) {
      const previous = all.get(one.id)
      const message = `${title}: ${one.message}`
      all.set(one.id, { ...one, message: previous ? `${previous.message}, ${message}` : message })
    }
  return [...all.values()]
}
