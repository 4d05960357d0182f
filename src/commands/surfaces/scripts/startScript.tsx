/** A script runs in the console: previewed in a dialog, followed and told of by toasts, at hand to be repeated. */
import toast from 'react-hot-toast/headless'
import { call } from '../../../api/client.ts'
import type { SavedScript } from '../../../store/scripts.ts'
import { deviceIn } from '../../../domain/lists/routes.ts'
import { uniqueId } from '../../../domain/uniqueId.ts'
import { entities } from '../../../store/lists.ts'
import { selections } from '../../../store/selection.ts'
import { session } from '../../../store/session.ts'
import { findCommand } from '../../core/registry.ts'
import { currentContext } from '../../core/context.ts'
import { errorMessages } from '../../core/execution/execute.ts'
import type { Host } from '../../core/execution/host.ts'
import { lastRun, recordLastRun } from '../../core/runs/lastRun.ts'
import { jobs } from '../../core/runs/jobs.ts'
import { dryRun } from '../../core/execution/dryRun.ts'
import { endText } from '../../scripts/endText.ts'
import { runSteps } from '../../scripts/runScript.ts'
import type { ScriptEnd, ScriptHost } from '../../scripts/scriptHost.ts'
import type { SavedScriptInvocation } from '../../core/scriptInvocation.ts'
import { retryOf, type FailedRuns } from '../../scripts/retry.ts'
import { keepLeft, scriptRuns, setRunning } from '../../scripts/running.ts'
import { commandFrom, commandIdOf } from '../../scripts/scriptCommand.ts'
import { acts, stepTitle } from '../../scripts/steps.ts'
import { runCommand } from '../run/run.ts'
import { toastError } from '../toasts/toasts.tsx'
import { scriptPreviewPrompt } from './scriptPreviewPrompt.ts'
import { ScriptProgress, ScriptStopped } from './ScriptToasts.tsx'

/** Milliseconds that a screen has to show what the next step needs. */
const patience = 10_000
const lookAgain = 50

/** Its questions, its progress and its outcome are its own. */
export async function startScript(started: SavedScriptInvocation, targets: Host['targets']): Promise<void> {
  if (scriptRuns.running) return toastError('A script is running: one at a time')
  const stop = new AbortController()
  setRunning(stop)
  // Between two of its steps nothing else runs that the browser would ask for.
  window.addEventListener('beforeunload', askBeforeLeaving)
  const progress = progressOf(started.script)
  const user = session.userId
  const failed: FailedRuns = new Map()
  try {
    const end = await runSteps(worldOf({ stop, targets, progress, failed }), started)
    // What came of it is nothing to whoever has signed in since.
    if (session.userId === user) tell(started, end, failed)
  } catch (error) {
    for (const message of errorMessages(error)) toastError(message)
  } finally {
    progress.end()
    window.removeEventListener('beforeunload', askBeforeLeaving)
    setRunning(undefined)
  }
}

const askBeforeLeaving = (event: Event) => event.preventDefault()

/** Where it is on its way, shown where there is a way. */
function progressOf(script: SavedScript) {
  const id = `script:${script.id}`
  return {
    at(at: number): void {
      const step = script.steps[at]
      if (step && script.steps.length > 1)
        toast.loading(<ScriptProgress script={script} at={at} title={stepTitle(step)} />, { id })
    },
    end: () => toast.dismiss(id),
  }
}

interface Around {
  readonly stop: AbortController
  readonly targets: Host['targets']
  readonly progress: ReturnType<typeof progressOf>
  readonly failed: FailedRuns
}

/** The console as running needs it. */
function worldOf({ stop, targets, progress, failed }: Around): ScriptHost {
  let step = 0
  /** The newest job before a step began, for seeing that the step’s own was cancelled. */
  let before = jobs.list[0]?.id
  return {
    context: currentContext,
    targets,
    plan: (order, ids, signal) => dryRun(order, ids, { call, signal }),
    preview(asked) {
      // While it is looked at, nothing is on its way.
      progress.end()
      return scriptPreviewPrompt.ask(asked)
    },
    async run(command, given) {
      const earlier = lastRun()
      const ending = await runCommand(command, given)
      const own = lastRun()
      // One that failed as a whole, or could not be done, left nothing to be tried again.
      if (own && own !== earlier && own.id === command.id && own.failed.length > 0) failed.set(step, own)
      return ending
    },
    ready: command => untilReady(() => acts(command) || command.availability(currentContext()).is !== 'blocked'),
    mark: () => actedOn(),
    begins(at) {
      step = at
      before = jobs.list[0]?.id
      progress.at(at)
    },
    signal: stop.signal,
    stopped() {
      const [newest] = jobs.list
      return stop.signal.aborted || (newest !== undefined && newest.id !== before && newest.cancelling)
    },
  }
}

/** What is selected, and the device on whose screen it is: lists that only load anew change nothing of it. */
const actedOn = (): string =>
  JSON.stringify([
    deviceIn(window.location.pathname),
    ...entities.map(entity => selections[entity].query ?? selections[entity].items().map(({ id }) => id)),
  ])

/** Resolves when it is so, or after a while in which a screen would have loaded. The path is nothing to subscribe to. */
async function untilReady(isReady: () => boolean): Promise<void> {
  const late = performance.now() + patience
  while (!isReady() && performance.now() < late) await new Promise(resolve => setTimeout(resolve, lookAgain))
}

/** Says what came of it, and keeps at hand what is left of it. */
function tell(started: SavedScriptInvocation, end: ScriptEnd, runs: FailedRuns): void {
  const { script, args } = started
  const message = endText(script, end)
  const failed = end.ended.some(({ is }) => is === 'failed')
  // Left before anything was done, nothing has run.
  if (end.ended.length === 0 && end.why === 'left') return
  const retry = retryOf(started, end, runs)
  keepLeft(
    end.next === undefined || !end.why || end.next >= script.steps.length
      ? undefined
      : { ...started, targets: end.targets, from: end.next },
  )
  recordLastRun({
    id: commandIdOf(script),
    title: script.name,
    input: args,
    repeatable: true,
    // Just those that failed get again the step that failed on them; the whole is given to what is selected then.
    again: others =>
      others && retry
        ? retry.again(others)
        : runCommand(findCommand(commandIdOf(script)) ?? commandFrom(script), {
            input: args,
            ...(others && { targets: others }),
          }),
    job: uniqueId(),
    failed: retry?.failed ?? [],
    failureReport: retry?.failureReport,
  })
  if (!failed && !end.why) return void toast.success(message)
  const id = `outcome:${commandIdOf(script)}`
  toast.error(<ScriptStopped message={message} onChosen={() => toast.dismiss(id)} />, { id })
}
