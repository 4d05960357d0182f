/**
 * Running a script: step after step, by the one path by which all commands run. Steps that change something are
 * previewed together as soon as it is known on what they act: all of them before anything runs, but for those behind a
 * step that selects something else, which are previewed when they are reached.
 */
import type { Entity } from '../../store/lists.ts'
import type { AnyItem } from '../../store/selection.ts'
import { findCommand } from '../core/registry.ts'
import type { Command, DryRun } from '../core/types.ts'
import { withTargets } from '../core/context.ts'
import { InvalidInput } from '../core/invalidInput.ts'
import { ApiError, errorText } from '../../api/errors.ts'
import { isAbort } from '../core/execution/execute.ts'
import { planChanges } from '../core/execution/planChanges.ts'
import { argumentName } from './arguments.ts'
import type { ScriptInvocation } from '../core/scriptInvocation.ts'
import type { ReadyStep, ScriptEnd, ScriptPreview, StepEnd, ScriptHost } from './scriptHost.ts'
import { acts, askedFields } from './steps.ts'

/** What a step is given: what was recorded, and in its place what was asked for. */
export function inputOf({ script, args }: Pick<ScriptInvocation, 'script' | 'args'>, at: number): ReadyStep['input'] {
  const step = script.steps[at]
  if (!step) return {}
  const asked = new Map(askedFields(step).map(({ name }) => [name, args[argumentName(at, name)]]))
  return Object.fromEntries(
    [...Object.entries(step.input).filter(([name]) => !asked.has(name)), ...asked].filter(
      ([, value]) => value !== undefined,
    ),
  )
}

export async function runSteps(scriptHost: ScriptHost, started: ScriptInvocation): Promise<ScriptEnd> {
  const { script, from } = started
  const commands = script.steps.map(({ command }) => findCommand(command))
  const ended: StepEnd[] = []
  let { targets } = started
  const end = (next: number | undefined, why?: ScriptEnd['why']): ScriptEnd => ({ ended, next, why, targets })
  /** Whether it goes on after this. */
  const goesOn = (step: StepEnd): boolean => {
    ended.push(step)
    return step.is !== 'failed' || script.go_on
  }

  let at = from
  while (at < commands.length) {
    const command = commands[at]
    if (!command) {
      ended.push(broken(at, `There is no command “${script.steps[at]?.command ?? ''}”`))
      return end(at + 1, 'failed')
    }
    if (at > from) await scriptHost.ready(command)
    if (scriptHost.stopped()) return end(at, 'left')
    if (!acts(command)) {
      const before = scriptHost.mark()
      scriptHost.begins(at)
      const went = await give(scriptHost, at, command, inputOf(started, at))
      if (scriptHost.mark() !== before) targets = undefined
      if (!goesOn(went)) return end(at + 1, 'failed')
      at++
      continue
    }
    const next = commands.findIndex((one, index) => index > at && (!one || !acts(one)))
    let steps: readonly ReadyStep[]
    try {
      steps = await readySteps(scriptHost, started, at, next < 0 ? commands.length : next, targets)
    } catch (error) {
      if (isAbort(error)) return end(at, 'left')
      if (!(error instanceof ApiError)) throw error
      // What it acts on could not be read: the step can be tried again.
      ended.push(broken(at, error.message))
      return end(at, 'failed')
    }
    const plans = await agreedTo(scriptHost, { script, ended, steps })
    if (!plans) return end(at, 'left')
    const [first] = steps
    if (first?.command.entity) targets = { entity: first.command.entity, items: first.targets }
    // What a step has deleted is nothing to the next.
    const gone = new Set<string>()
    for (const [index, planned] of steps.entries()) {
      if (scriptHost.stopped()) return end(planned.at, 'left')
      const left = planned.targets.filter(({ id }) => !gone.has(id))
      if (planned.targets.length > 0 && left.length === 0) {
        ended.push(nothing(planned.at))
        continue
      }
      const step = readyStep(scriptHost, planned.at, planned.command, planned.input, left)
      // The steps before it may have changed what it would do.
      const [plan] =
        (index > 0 ? await agreedTo(scriptHost, { script, ended, steps: [step] }, plans.slice(index)) : plans) ?? []
      if (!plan) return end(step.at, 'left')
      scriptHost.begins(step.at)
      const went = await giveReady(scriptHost, step, plan)
      if (step.command.removesTargets)
        for (const id of plan.affected) if (!went.failed.some(failure => failure.id === id)) gone.add(id)
      if (!goesOn(went)) return end(step.at + 1, 'failed')
    }
    at = (steps.at(-1)?.at ?? at) + 1
  }
  return end(undefined)
}

const nothing = (at: number): StepEnd => ({ at, is: 'nothing', done: 0, failed: [], message: undefined })
const broken = (at: number, message: string): StepEnd => ({ at, is: 'failed', done: 0, failed: [], message })

/** Gives a step to those of its targets for which that was agreed to. */
async function giveReady(
  world: ScriptHost,
  { at, command, input, targets, blocked }: ReadyStep,
  plan: DryRun,
): Promise<StepEnd> {
  if (blocked !== undefined) return broken(at, blocked)
  const here = new Set(targets.map(({ id }) => id))
  const approved = {
    affected: plan.affected.filter(id => here.has(id)),
    skipped: plan.skipped.filter(({ id }) => here.has(id)),
  }
  if (command.entity && approved.affected.length === 0 && approved.skipped.length > 0) return nothing(at)
  return give(world, at, command, input, command.entity && targets, approved)
}

async function give(
  world: ScriptHost,
  at: number,
  command: Command,
  input: unknown,
  targets?: readonly AnyItem[],
  approved: DryRun = { affected: [], skipped: [] },
): Promise<StepEnd> {
  const available = command.availability(
    targets ? withTargets(world.context(), command.entity, targets) : world.context(),
  )
  if (available.is === 'blocked') return broken(at, available.reason)
  const ending = await world.run(command, { input, approved, ...(targets && { targets }) })
  if (ending.is === 'stopped') return broken(at, 'The command was not run')
  if (ending.is === 'invalid') return broken(at, Object.values(ending.fields).join(', '))
  if (ending.is === 'failed') return broken(at, errorText(ending.error))
  // Those that were known to be skipped are no failures of the script.
  const skipped = new Set(approved.skipped.map(({ id }) => id))
  const failed = ending.outcome?.failed.filter(({ id }) => !skipped.has(id)) ?? []
  const done = ending.outcome?.done.length ?? approved.affected.length
  return { at, is: failed.length > 0 ? 'failed' : 'done', done, failed, message: undefined }
}

/** The steps from one place up to another, on what they act now. */
async function readySteps(
  world: ScriptHost,
  started: ScriptInvocation,
  from: number,
  to: number,
  targets: ScriptInvocation['targets'],
): Promise<readonly ReadyStep[]> {
  const known = new Map<Entity, readonly AnyItem[]>(targets && [[targets.entity, targets.items]])
  const steps: ReadyStep[] = []
  for (let at = from; at < to; at++) {
    const command = findCommand(started.script.steps[at]?.command ?? '')
    if (!command) continue
    const { entity } = command
    const items = entity && (known.get(entity) ?? (await world.targets(command, world.context())))
    if (entity && items) known.set(entity, items)
    steps.push(readyStep(world, at, command, inputOf(started, at), items ?? []))
  }
  return steps
}

function readyStep(
  world: ScriptHost,
  at: number,
  command: Command,
  input: ReadyStep['input'],
  targets: readonly AnyItem[],
): ReadyStep {
  const context = command.entity ? withTargets(world.context(), command.entity, targets) : world.context()
  const all: DryRun = { affected: targets.map(({ id }) => id), skipped: [] }
  const unplanned = { at, command, input, targets, question: undefined, check: () => Promise.resolve(all) }
  const available = command.availability(context)
  if (available.is !== 'ready')
    return {
      ...unplanned,
      blocked: available.is === 'blocked' ? available.reason : 'Your role cannot run this command',
    }
  try {
    const { question, operation } = command.prepare(context, input)
    if (!operation || targets.length === 0) return { ...unplanned, question, blocked: undefined }
    return { ...unplanned, question, blocked: undefined, check: signal => world.plan(operation, all.affected, signal) }
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return { ...unplanned, blocked: error.message }
  }
}

/**
 * What the person agreed to, as it is now; undefined where they backed out. Where it changed since, asks again.
 * `before` is what they agreed to earlier.
 */
async function agreedTo(
  world: ScriptHost,
  asked: Pick<ScriptPreview, 'script' | 'ended' | 'steps'>,
  before?: readonly DryRun[],
): Promise<readonly DryRun[] | undefined> {
  let shown = before ?? (await world.preview({ ...asked, plans: undefined, changed: [] }))
  while (shown) {
    const agreed = shown
    const plans = await checked(asked.steps, world.signal)
    if (world.signal.aborted) return undefined
    const changed = plans?.map((plan, index) => planChanges(agreed[index] ?? plan, plan)) ?? []
    if (plans && changed.every(({ length }) => length === 0)) return plans
    // Where it could not be checked, the preview tries once more, and says what is wrong.
    shown = await world.preview({ ...asked, plans, changed })
  }
  return undefined
}

/** What the steps would do as it is now; nothing where that could not be told. */
async function checked(steps: readonly ReadyStep[], signal: AbortSignal): Promise<readonly DryRun[] | undefined> {
  try {
    return await Promise.all(steps.map(step => step.check(signal)))
  } catch (error) {
    if (error instanceof ApiError || isAbort(error)) return undefined
    throw error
  }
}
