/** The only way to run a command, for every surface, so that no guard can be skipped. */
import { revalidate } from '../../../api/hooks.ts'
import { uniqueId } from '../../../domain/uniqueId.ts'
import type { Failure } from '../../../domain/commands/failures.ts'
import { selections, type AnyItem } from '../../../store/selection.ts'
import { session } from '../../../store/session.ts'
import type { Call, Command, ExecutionResult, DryRun, Result } from '../types.ts'
import type { Outcome } from '../runs/outcome.ts'
import { InvalidInput } from '../invalidInput.ts'
import { withTargets } from '../context.ts'
import { recordLastRun } from '../runs/lastRun.ts'
import { shownFailures } from '../shownFailures.ts'
import type { Host, InitialArguments, Preview } from './host.ts'
import { forgetTargets } from '../runs/jobs.ts'
import { beginPending, suspendWhilePrompting } from '../runs/pendingCommands.ts'

export interface ExecuteOptions<Input = unknown> {
  /** The arguments; the host prompts for them if they are missing. */
  readonly input?: Input
  /** The known arguments when the host prompts for the others. */
  readonly start?: InitialArguments
  /** The targets, instead of the selection. */
  readonly targets?: readonly AnyItem[]
  /** The plan, if the person has already approved it in the preview of a script. */
  readonly approved?: DryRun
}

/** Whether a command changes its targets. If so, they are materialized first and the run is a job. */
export const changesTargets = ({ entity, endpoint, group }: Pick<Command, 'entity' | 'endpoint' | 'group'>): boolean =>
  // A command that creates does not act on the selection.
  entity !== undefined && endpoint !== undefined && endpoint.method !== 'GET' && group !== 'create'

/** Runs a command: checks its availability, prompts for arguments, gets the approval and reports the outcome. */
export async function execute(host: Host, command: Command, options: ExecuteOptions = {}): Promise<ExecutionResult> {
  const now = host.context()
  const userId = session.userId
  const context = options.targets ? withTargets(now, command.entity, options.targets) : now
  const availability = command.availability(context)
  if (availability.is === 'hidden') return { is: 'stopped' }
  if (availability.is === 'blocked') {
    host.blocked(availability.reason)
    return { is: 'stopped' }
  }
  const endPending = beginPending()
  try {
    // The targets are frozen from here on, even if the selection or the list changes.
    const source = options.targets ? undefined : host.sourceOf(command, context)
    const targets = options.targets ?? (command.entity ? [...(await host.targets(command, context))] : [])
    const on = (items: readonly AnyItem[]) => (command.entity ? withTargets(context, command.entity, items) : context)
    const input =
      options.input ??
      (command.fields.length > 0 || options.start
        ? await suspendWhilePrompting(host.ask(command, on(targets), options.start))
        : {})
    if (input === undefined) return { is: 'stopped' }
    const whole = command.prepare(on(targets), input)
    const only = ({ affected, skipped }: DryRun) =>
      skipped.length === 0 ? whole : command.prepare(on(targets.filter(isAmong(affected))), input)
    const plan = options.approved ?? (await approve(host, command, { targets, source }, whole, only))
    if (!plan || session.userId !== userId || host.context().role !== context.role) return { is: 'stopped' }
    const call = only(plan)
    const run = await host.begin(command, { input, targets, skipped: plan.skipped })
    endPending()
    try {
      const result = await call.run(run.services)
      const outcome = outcomeOf(result, plan.skipped)
      const message = outcome ? call.done(outcome) : messageOf(result)
      const before = typeof result === 'object' ? (result.before ?? []) : []
      run.end({ is: 'done', outcome, message, before })
      // After a user switch, the new user must not see the result of the previous one.
      if (session.userId !== userId) return { is: 'stopped' }
      const job = run.job ?? (outcome && uniqueId())
      if (outcome) settle(host, command, { ...options, input }, targets, outcome, message ?? command.title, job)
      if (message) host.finished(command, message, outcome, job)
      return { is: 'done', ...(outcome && { outcome }) }
    } catch (error) {
      run.end({ is: 'failed', error })
      throw error
    } finally {
      if (command.endpoint && command.endpoint.method !== 'GET') void revalidate(command.endpoint)
    }
  } catch (error) {
    if (error instanceof InvalidInput) {
      // A form shows the messages for its own input at its fields; otherwise the host shows them.
      if (options.input === undefined) host.failed(error)
      return { is: 'invalid', fields: error.fields }
    }
    if (!isAbort(error) && session.userId === userId) host.failed(error)
    return { is: 'failed', error }
  } finally {
    endPending()
  }
}

const isAmong = (ids: readonly string[]) => {
  const set = new Set(ids)
  return ({ id }: AnyItem) => set.has(id)
}

/** Resolves with the approved plan, or with undefined if the person cancels. */
async function approve(
  host: Host,
  command: Command,
  frozen: Pick<Preview, 'targets' | 'source'>,
  call: Call,
  only: (plan: DryRun) => Call,
): Promise<DryRun | undefined> {
  const { targets } = frozen
  const all = { affected: targets.map(({ id }) => id), skipped: [] }
  if (targets.length > 1 && changesTargets(command))
    return (await import('./confirmPlan.ts')).confirmPlan(host, command, { ...frozen, all }, call, only)
  return !call.question || (await suspendWhilePrompting(host.confirm(call.question, command))) ? all : undefined
}

const messageOf = (result: Result): string | undefined => {
  if (typeof result !== 'object') return result ?? undefined
  return 'message' in result ? result.message : undefined
}

/** Returns the outcome of all targets: skipped targets count as failed, with the reason. */
function outcomeOf(result: Result, skipped: readonly Failure[]): Outcome | undefined {
  if (typeof result !== 'object' || 'message' in result) return undefined
  return { ...result, failed: [...result.failed, ...skipped] }
}

/**
 * Records the run so that it can be repeated or its failed targets retried. If some failed, deselects those that
 * succeeded, except in a script's step; targets that no longer exist are always deselected.
 */
function settle(
  host: Host,
  command: Command,
  { input, approved }: ExecuteOptions,
  targets: readonly AnyItem[],
  outcome: Outcome,
  title: string,
  job: string | undefined,
): void {
  const reasons = new Map(outcome.failed.map(({ id, message }) => [id, message]))
  if (((reasons.size > 0 && !approved) || command.removesTargets) && command.entity)
    selections[command.entity].remove(outcome.done)
  if (command.removesTargets && command.entity) forgetTargets(command.entity, outcome.done)
  if (!command.repeatable && reasons.size === 0) return
  const failed = targets.filter(target => reasons.has(target.id))
  const shownTargets = shownFailures(command, failed, ({ id }) => reasons.get(id))
  recordLastRun({
    id: command.id,
    again: newTargets => execute(host, command, { input, ...(newTargets && { targets: newTargets }) }),
    repeatable: command.repeatable,
    title: command.title,
    input,
    job,
    failed,
    failureReport: failed.length > 0 ? { title, failed: shownTargets } : undefined,
  })
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
