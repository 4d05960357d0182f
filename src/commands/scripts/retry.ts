/** Trying again what failed of a script: each step on just those on which it failed. */
import type { ShownFailure } from '../../domain/commands/failures.ts'
import type { LastRun } from '../core/runs/lastRun.ts'
import type { ScriptEnd } from './scriptHost.ts'
import type { ScriptInvocation } from '../core/scriptInvocation.ts'
import { stepTitle } from './steps.ts'

/** What is at hand for trying again, by the step, counted from 0, that it was. */
export type FailedRuns = Map<number, Pick<LastRun, 'failed' | 'failureReport' | 'again'>>

/** Nothing where no step failed on some, or skipped some: what a step's own message offers to try again. */
export function retryOf(
  { script }: Pick<ScriptInvocation, 'script'>,
  { ended }: Pick<ScriptEnd, 'ended'>,
  runs: FailedRuns,
): Pick<LastRun, 'failed' | 'failureReport' | 'again'> | undefined {
  const steps = ended.flatMap(({ at }) => {
    const run = runs.get(at)
    const step = script.steps[at]
    return run && step && run.failed.length > 0
      ? [{ run, items: run.failed, failures: run.failureReport?.failed ?? [], title: stepTitle(step) }]
      : []
  })
  const [first] = steps
  if (!first) return undefined
  const several = steps.length > 1
  return {
    // Each of them once, whatever failed on it.
    failed: [...new Map(steps.flatMap(({ items }) => items).map(item => [item.id, item])).values()],
    failureReport: {
      title: several ? `“${script.name}”` : (first.run.failureReport?.title ?? first.title),
      failed: several ? together(steps) : first.failures,
    },
    async again(targets = []) {
      const wanted = new Set(targets.map(({ id }) => id))
      for (const { run, items } of steps) {
        const some = items.filter(({ id }) => wanted.has(id))
        if (some.length > 0) await run.again(some)
      }
    },
  }
}

/** Each of them once, with what went wrong at each step. */
function together(steps: readonly { title: string; failures: readonly ShownFailure[] }[]): readonly ShownFailure[] {
  const all = new Map<string, ShownFailure>()
  for (const { title, failures } of steps)
    for (const one of failures) {
      const earlier = all.get(one.id)
      const message = `${title}: ${one.message}`
      all.set(one.id, { ...one, message: earlier ? `${earlier.message}, ${message}` : message })
    }
  return [...all.values()]
}
