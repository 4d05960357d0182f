import type { Script } from '../../store/scripts.ts'
import type { ScriptEnd } from './scriptHost.ts'
import { stepTitle } from './steps.ts'

/** What came of it, in a sentence or two. */
export function endText({ name, steps }: Script, { ended, next, why }: ScriptEnd): string {
  const count = `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`
  const failures = ended.filter(({ is }) => is === 'failed')
  const rest = next === undefined ? [] : steps.slice(next).map(step => stepTitle(step))
  const notRun = rest.length > 0 ? ` Not run: ${rest.join(', ')}.` : ''
  const last = ended.at(-1)
  if (why === 'failed' && last) {
    const step = steps[last.at]
    const of = last.done + last.failed.length
    const reason = last.message ?? `${last.failed.length} of ${of} failed`
    return `“${name}” stopped at step ${last.at + 1} of ${steps.length}, ${step ? stepTitle(step) : ''}: ${reason}.${notRun}`
  }
  if (why === 'left') return `“${name}” was stopped.${notRun}`
  if (failures.length > 0) return `“${name}”: ${failures.length} of ${count} had failures`
  return `“${name}” is done: ${count}`
}
