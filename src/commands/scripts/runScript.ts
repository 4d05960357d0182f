/**
 * Runs a script step by step through `execute`, like all commands. Steps that change data are previewed together as soon
 * as their targets are known: before anything runs, except for steps after one that may change the selection, which are
 * previewed when they are reached.
 */
import type { Step } from '../../store/scripts/recording.ts'
import type { Entity } from '../../store/lists.ts'
import type { AnyItem } from '../../store/selection.ts'
import { findCommand } from '../core/registry.ts'
import type { Command, DryRun } from '../core/types.ts'
import { withTargets } from '../core/context.ts'
import { InvalidInput } from '../core/invalidInput.ts'
import { ApiError, errorText } from '../../api/errors.ts'
import { isAbort } from '../core/execution/execute.ts'
import { approvePlans } from './approvePlans.ts'
import { argumentName } from './arguments.ts'
import type { ScriptInvocation } from '../core/scriptInvocation.ts'
import type { ReadyStep, ScriptHost, ScriptResult, StepResult } from './scriptHost.ts'
import { listProblem } from './stepList.ts'
import { askedFields, changesServer, policyOf } from './steps.ts'

/** Returns the input of a step: its recorded values, with the prompted arguments replacing theirs. */
export function inputOf(
  { script, args }: Pick<ScriptInvocation, 'script' | 'args'>,
  index: number,
): ReadyStep['input'] {
  const step = script.steps[index]
  if (!step) return {}
  const prompted = new Map(askedFields(step).map(({ name }) => [name, args[argumentName(index, name)]]))
  return Object.fromEntries(
    [...Object.entries(step.input).filter(([name]) => !prompted.has(name)), ...prompted].filter(
      ([, value]) => value !== undefined,
    ),
  )
}

/** Runs the steps from `invocation.from` on. The result includes failures of steps; rejects only with other errors. */
export async function runSteps(host: ScriptHost, invocation: ScriptInvocation): Promise<ScriptResult> {
  const { script, from } = invocation
  const commands = script.steps.map(({ command }) => findCommand(command))
  const results: StepResult[] = []
  let { targets } = invocation
  const end = (next: number | undefined, stopReason?: ScriptResult['stopReason']): ScriptResult => ({
    results,
    next,
    stopReason,
    targets,
  })
  /** Records the result of a step, and returns whether the script continues. */
  const continueAfter = (result: StepResult): boolean => {
    results.push(result)
    return result.is !== 'failed' || script.go_on
  }

  let index = from
  while (index < commands.length) {
    const command = commands[index]
    if (!command) {
      results.push(failedStep(index, `There is no command “${script.steps[index]?.command ?? ''}”`))
      return end(index + 1, 'failed')
    }
    if (index > from) await host.waitUntilReady(command)
    if (host.isStopped()) return end(index, 'stopped')
    const wrongList = listProblem(script.steps, index, host.context())
    if (wrongList !== undefined) {
      results.push(failedStep(index, wrongList))
      return end(index, 'failed')
    }
    if (!changesServer(command)) {
      const keyBefore = host.targetsKey()
      host.onStepStart(index)
      const result = await runCommand(host, index, command, inputOf(invocation, index))
      if (host.targetsKey() !== keyBefore) targets = undefined
      const goesOn = continueAfter(result)
      // Also a script that continues after failures: its next steps would act on what was selected before.
      if (result.is === 'failed' && selects(script.steps[index]!)) return end(index, 'failed')
      if (!goesOn) return end(index + 1, 'failed')
      index++
      continue
    }
    const next = commands.findIndex((one, other) => other > index && (!one || !changesServer(one)))
    let steps: readonly ReadyStep[]
    try {
      steps = await readySteps(host, invocation, index, next < 0 ? commands.length : next, targets)
    } catch (error) {
      if (isAbort(error)) return end(index, 'stopped')
      if (!(error instanceof ApiError)) throw error
      // The targets could not be read; the script can continue at this step later.
      results.push(failedStep(index, error.message))
      return end(index, 'failed')
    }
    const plans = await approvePlans(host, { script, results, steps })
    if (!plans) return end(index, 'stopped')
    const [first] = steps
    if (first?.command.entity) targets = { entity: first.command.entity, items: first.targets }
    // Ids that a step has deleted; later steps leave them out.
    const removed = new Set<string>()
    for (const [index, planned] of steps.entries()) {
      if (host.isStopped()) return end(planned.index, 'stopped')
      const remaining = planned.targets.filter(({ id }) => !removed.has(id))
      if (planned.targets.length > 0 && remaining.length === 0) {
        results.push(skippedStep(planned.index))
        continue
      }
      const step = readyStep(host, script.steps[planned.index]!, planned, remaining)
      // Previous steps may have changed what this step would do.
      const [plan] =
        (index > 0 ? await approvePlans(host, { script, results, steps: [step] }, plans.slice(index)) : plans) ?? []
      if (!plan) return end(step.index, 'stopped')
      host.onStepStart(step.index)
      const result = await runApproved(host, step, plan)
      // A step that has failed as a whole, with a message, has deleted nothing.
      if (step.command.removesTargets && result.message === undefined)
        for (const id of plan.affected) if (!result.failed.some(failure => failure.id === id)) removed.add(id)
      if (!continueAfter(result)) return end(step.index + 1, 'failed')
    }
    index = (steps.at(-1)?.index ?? index) + 1
  }
  return end(undefined)
}

/** Whether a step changes the selection. */
const selects = ({ command }: Step): boolean => findCommand(command)?.selection === 'changes'

const skippedStep = (index: number): StepResult => ({ index, is: 'skipped', done: 0, failed: [], message: undefined })
const failedStep = (index: number, message: string): StepResult => ({
  index,
  is: 'failed',
  done: 0,
  failed: [],
  message,
})

/** Runs a step on the approved targets. */
async function runApproved(
  host: ScriptHost,
  { index, command, input, policy, targets, blocked }: ReadyStep,
  plan: DryRun,
): Promise<StepResult> {
  if (blocked !== undefined) return failedStep(index, blocked)
  const targetIds = new Set(targets.map(({ id }) => id))
  const approved = {
    affected: plan.affected.filter(id => targetIds.has(id)),
    skipped: plan.skipped.filter(({ id }) => targetIds.has(id)),
    ...(policy && plan.job && { job: plan.job }),
  }
  if (command.entity && approved.affected.length === 0 && approved.skipped.length > 0) return skippedStep(index)
  return runCommand(host, index, command, input, command.entity && targets, approved)
}

async function runCommand(
  host: ScriptHost,
  index: number,
  command: Command,
  input: unknown,
  targets?: readonly AnyItem[],
  approved: DryRun = { affected: [], skipped: [] },
): Promise<StepResult> {
  const available = command.availability(
    targets ? withTargets(host.context(), command.entity, targets) : host.context(),
  )
  if (available.is === 'blocked') return failedStep(index, available.reason)
  const execution = await host.run(command, { input, approved, ...(targets && { targets }) })
  if (execution.is === 'stopped') return failedStep(index, 'The command was not run')
  if (execution.is === 'invalid') return failedStep(index, Object.values(execution.fields).join(', '))
  if (execution.is === 'failed') return failedStep(index, errorText(execution.error))
  // Targets that were approved as skipped do not count as failures.
  const skipped = new Set(approved.skipped.map(({ id }) => id))
  const failed = execution.outcome?.failed.filter(({ id }) => !skipped.has(id)) ?? []
  const done = execution.outcome?.done.length ?? approved.affected.length
  return { index, is: failed.length > 0 ? 'failed' : 'done', done, failed, message: undefined }
}

/** Returns the steps from index `from` up to, not including, `to`, with their current targets. */
async function readySteps(
  host: ScriptHost,
  invocation: ScriptInvocation,
  from: number,
  to: number,
  targets: ScriptInvocation['targets'],
): Promise<readonly ReadyStep[]> {
  const itemsOf = new Map<Entity, readonly AnyItem[]>(targets && [[targets.entity, targets.items]])
  const steps: ReadyStep[] = []
  // After a selecting step, an empty selection is not a wish to act on the row that has the focus.
  const allowFocus = !invocation.script.steps.slice(0, from).some(selects)
  for (let index = from; index < to; index++) {
    const step = invocation.script.steps[index]
    const command = step && findCommand(step.command)
    if (!command) continue
    const { entity } = command
    const items = entity && (itemsOf.get(entity) ?? (await host.targets(command, host.context(), { allowFocus })))
    if (entity && items) itemsOf.set(entity, items)
    steps.push(readyStep(host, step, { index, command, input: inputOf(invocation, index) }, items ?? []))
  }
  return steps
}

function readyStep(
  host: ScriptHost,
  step: Step,
  { index, command, input }: Pick<ReadyStep, 'index' | 'command' | 'input'>,
  targets: readonly AnyItem[],
): ReadyStep {
  const parsed = policyOf(step, Date.now())
  const policy = parsed && 'policy' in parsed ? parsed.policy : undefined
  const context = command.entity ? withTargets(host.context(), command.entity, targets) : host.context()
  const all: DryRun = { affected: targets.map(({ id }) => id), skipped: [] }
  const dryRun = () => Promise.resolve(all)
  const withoutDryRun = { index, command, input, policy, targets, question: undefined, dryRun }
  if (parsed && 'problem' in parsed) return { ...withoutDryRun, blocked: `Policy: ${parsed.problem}` }
  const available = command.availability(context)
  if (available.is !== 'ready')
    return {
      ...withoutDryRun,
      blocked: available.is === 'blocked' ? available.reason : 'Your role cannot run this command',
    }
  try {
    const { question, operation } = command.prepare(context, input)
    if (!operation || targets.length === 0) return { ...withoutDryRun, question, blocked: undefined }
    return {
      ...withoutDryRun,
      question,
      blocked: undefined,
      dryRun: signal => host.dryRun(operation, all.affected, signal, policy),
    }
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return { ...withoutDryRun, blocked: error.message }
  }
}
