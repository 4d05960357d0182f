import type { Script } from '../../store/scripts/scripts.ts'
import type { ScriptResult } from './scriptHost.ts'
import { stepTitle } from './steps.ts'

/** Returns the outcome of a script in one or two sentences. */
export function resultText({ name, steps }: Script, { results, next, stopReason }: ScriptResult): string {
  const count = `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`
  const failures = results.filter(({ is }) => is === 'failed')
  const rest = next === undefined ? [] : steps.slice(next).map(step => stepTitle(step))
  const notRun = rest.length > 0 ? ` Not run: ${rest.join(', ')}.` : ''
  const last = results.at(-1)
  if (stopReason === 'failed' && last) {
    const step = steps[last.index]
    const total = last.done + last.failed.length
    const reason = last.message ?? `${last.failed.length} of ${total} failed`
    return `“${name}” stopped at step ${last.index + 1} of ${steps.length}, ${step ? stepTitle(step) : ''}: ${reason}.${notRun}`
  }
  if (stopReason === 'stopped') return `“${name}” was stopped.${notRun}`
  if (failures.length > 0) return `“${name}”: ${failures.length} of ${count} had failures`
  return `“${name}” is done: ${count}`
}
