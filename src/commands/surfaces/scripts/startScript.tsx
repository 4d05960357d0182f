/** Runs a script in the console: previews it in a dialog, shows progress and outcome in toasts, and can be repeated. */
import toast from 'react-hot-toast/headless'
import { call } from '../../../api/client.ts'
import type { SavedScript } from '../../../store/scripts/scripts.ts'
import { bssidInPath } from '../../../domain/lists/routes.ts'
import { uniqueId } from '../../../domain/uniqueId.ts'
import { entities } from '../../../store/lists.ts'
import { openFinding } from '../../../store/openFinding.ts'
import { selections } from '../../../store/selection.ts'
import { session } from '../../../store/session.ts'
import { findCommand } from '../../core/registry.ts'
import { currentContext, type Context } from '../../core/context.ts'
import type { Command } from '../../core/types.ts'
import type { Host } from '../../core/execution/host.ts'
import { lastRun, recordLastRun } from '../../core/runs/lastRun.ts'
import { actsOnPendingRows } from '../../core/pendingRows.ts'
import { jobs } from '../../core/runs/jobs.ts'
import { whilePrompting } from '../../core/runs/pendingCommands.ts'
import { dryRun } from '../../core/execution/dryRun.ts'
import { resultText } from '../../scripts/resultText.ts'
import { runSteps } from '../../scripts/runScript.ts'
import type { ScriptHost, ScriptResult } from '../../scripts/scriptHost.ts'
import type { SavedScriptInvocation } from '../../core/scriptInvocation.ts'
import { retryOf, type FailedRuns } from '../../scripts/retry.ts'
import { scriptRuns, setRunning, setStopped } from '../../scripts/running.ts'
import { commandFrom, commandIdOf } from '../../scripts/scriptCommand.ts'
import { changesServer, stepTitle } from '../../scripts/steps.ts'
import { runCommand } from '../run/run.ts'
import { toastError, toastFailure } from '../toasts/toasts.tsx'
import { scriptPreviewPrompt } from './scriptPreviewPrompt.ts'
import { ScriptProgress, ScriptStopped } from './ScriptToasts.tsx'

/** Milliseconds that a screen has to load what the next step needs. */
const readyTimeout = 10_000
const pollInterval = 50

/** Runs a script to its end, with prompts, progress and outcome of its own. Only one script can run at a time. */
export async function startScript(started: SavedScriptInvocation, targets: Host['targets']): Promise<void> {
  if (scriptRuns.running) return toastError('Another script is running. Wait for its end, or stop it.')
  const stop = new AbortController()
  setRunning(stop)
  // Between two steps no command is running that would make the browser ask before the page closes.
  window.addEventListener('beforeunload', confirmUnload)
  const progress = progressOf(started.script)
  const user = session.userId
  const failed: FailedRuns = new Map()
  try {
    const result = await runSteps(hostFor({ stop, targets, progress, failed }), started)
    // The outcome is not shown to another person who has signed in meanwhile.
    if (session.userId === user) reportResult(started, result, failed)
  } catch (error) {
    toastFailure(error)
  } finally {
    progress.end()
    window.removeEventListener('beforeunload', confirmUnload)
    setRunning(undefined)
  }
}

const confirmUnload = (event: Event) => event.preventDefault()

/** Returns a toast that shows the current step; scripts of one step show none. */
function progressOf(script: SavedScript) {
  const id = `script:${script.id}`
  return {
    showStep(index: number): void {
      const step = script.steps[index]
      if (step && script.steps.length > 1)
        toast.loading(<ScriptProgress script={script} index={index} title={stepTitle(step)} />, { id })
    },
    end: () => toast.dismiss(id),
  }
}

interface RunState {
  readonly stop: AbortController
  readonly targets: Host['targets']
  readonly progress: ReturnType<typeof progressOf>
  readonly failed: FailedRuns
}

/** Returns the host in which a script's steps run. Adds the failed runs of steps to `failed`. */
function hostFor({ stop, targets, progress, failed }: RunState): ScriptHost {
  let step = 0
  /** The newest job before the current step, to detect that the step's own job was cancelled. */
  let previousJob = jobs.list[0]?.id
  return {
    context: currentContext,
    targets: async (command, context, { allowFocus }) =>
      allowFocus || !actsOnFocus(command, context) ? targets(command, context) : [],
    dryRun: (operation, ids, signal, policy) => dryRun(operation, ids, { call, signal, policy }),
    preview(request) {
      // No step is running while the preview is open.
      progress.end()
      return whilePrompting(scriptPreviewPrompt.ask(request))
    },
    async run(command, options) {
      const previous = lastRun()
      // A step that is invalid has failed, which the outcome of the script says.
      const result = await runCommand(command, { ...options, showsInvalid: true })
      const current = lastRun()
      // A step that failed as a whole, or was blocked, has recorded no run that could be retried.
      if (current && current !== previous && current.id === command.id && current.failed.length > 0)
        failed.set(step, current)
      return result
    },
    waitUntilReady: command =>
      waitUntil(() => {
        const context = currentContext()
        return changesServer(command)
          ? !actsOnPendingRows(command, context)
          : command.availability(context).is !== 'blocked'
      }),
    targetsKey,
    onStepStart(index) {
      step = index
      previousJob = jobs.list[0]?.id
      progress.showStep(index)
    },
    signal: stop.signal,
    isStopped() {
      const [newest] = jobs.list
      return stop.signal.aborted || (newest !== undefined && newest.id !== previousJob && newest.cancelling)
    },
  }
}

/** Whether a command acts on the row that has the focus, because nothing is selected and no screen shows its target. */
function actsOnFocus({ entity }: Command, { path }: Context): boolean {
  if (entity === undefined || selections[entity].size > 0 || selections[entity].query) return false
  return entity === 'devices' ? bssidInPath(path) === undefined : !(entity === 'findings' && openFinding.item)
}

/** Returns a text that changes with the targets (the selections, the screen's device), but not when lists reload. */
const targetsKey = (): string =>
  JSON.stringify([
    bssidInPath(window.location.pathname),
    ...entities.map(entity => selections[entity].query ?? selections[entity].items().map(({ id }) => id)),
  ])

/** Resolves when `isReady` returns true, or after `readyTimeout`. Polls, because the path cannot be subscribed to. */
async function waitUntil(isReady: () => boolean): Promise<void> {
  const deadline = performance.now() + readyTimeout
  while (!isReady() && performance.now() < deadline) await new Promise(resolve => setTimeout(resolve, pollInterval))
}

/** Shows the outcome in a toast, records the run, and keeps the remaining steps so that the script can continue. */
function reportResult(started: SavedScriptInvocation, result: ScriptResult, runs: FailedRuns): void {
  const { script, args } = started
  const message = resultText(script, result)
  const failed = result.results.some(({ is }) => is === 'failed')
  // Cancelled before its first step: nothing has run.
  if (result.results.length === 0 && result.stopReason === 'stopped') return
  const retry = retryOf(started, result, runs)
  setStopped(
    result.next === undefined || !result.stopReason || result.next >= script.steps.length
      ? undefined
      : { ...started, targets: result.targets, from: result.next },
  )
  recordLastRun({
    id: commandIdOf(script),
    title: script.name,
    repeatable: true,
    // A retry repeats only the failed steps on their failed targets; a repeat runs the whole script on the selection.
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
  if (!failed && !result.stopReason) return void toast.success(message)
  const id = `outcome:${commandIdOf(script)}`
  toast.error(<ScriptStopped message={message} onChosen={() => toast.dismiss(id)} />, { id })
}
