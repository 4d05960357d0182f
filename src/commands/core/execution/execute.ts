/** The one path by which anything runs, whichever surface asked: no guard can be skipped. */
import { ApiError, errorText } from '../../../api/errors.ts'
import { revalidate } from '../../../api/hooks.ts'
import { uniqueId } from '../../../domain/uniqueId.ts'
import type { Failure } from '../../../domain/commands/failures.ts'
import { selections, type AnyItem } from '../../../store/selection.ts'
import { session } from '../../../store/session.ts'
import type { Call, Command, ExecutionResult, DryRun, Result } from '../types.ts'
import type { Outcome } from '../runs/outcome.ts'
import { InvalidInput } from '../invalidInput.ts'
import { actingOn } from '../context.ts'
import { recordLastRun } from '../runs/lastRun.ts'
import { shownFailures } from '../shownFailures.ts'
import type { Host, Start } from './host.ts'
import { forgetTargets } from '../runs/jobs.ts'
import { beginPending, suspendWhilePrompting } from '../runs/pendingCommands.ts'

export interface ExecuteOptions<Input = unknown> {
  /** Arguments that need not be asked for. */
  readonly input?: Input
  /** Of those that are asked for, what is known already. */
  readonly start?: Start
  /** What to act on in place of the selection. */
  readonly targets?: readonly AnyItem[]
  /** The person has agreed to that already, as a part of something that was previewed whole. */
  readonly approved?: DryRun
}

/** Whether it changes what it acts on: then its targets are fixed in full, and its run is a job. */
export const changesTargets = ({ entity, endpoint, group }: Pick<Command, 'entity' | 'endpoint' | 'group'>): boolean =>
  // What creates acts on nothing that is there, whatever is selected.
  entity !== undefined && endpoint !== undefined && endpoint.method !== 'GET' && group !== 'create'

export async function execute(host: Host, command: Command, given: ExecuteOptions = {}): Promise<ExecutionResult> {
  const now = host.context()
  const person = session.userId
  const context = given.targets ? actingOn(now, command.entity, given.targets) : now
  const availability = command.availability(context)
  if (availability.is === 'hidden') return { is: 'stopped' }
  if (availability.is === 'blocked') {
    host.blocked(availability.reason)
    return { is: 'stopped' }
  }
  const arrives = beginPending()
  try {
    // From here on the target is fixed, whatever is selected or arrives meanwhile.
    const targets = given.targets ?? (command.entity ? [...(await host.targets(command, context))] : [])
    const on = (items: readonly AnyItem[]) => (command.entity ? actingOn(context, command.entity, items) : context)
    const input =
      given.input ??
      (command.fields.length > 0 || given.start
        ? await suspendWhilePrompting(host.ask(command, on(targets), given.start))
        : {})
    if (input === undefined) return { is: 'stopped' }
    const whole = command.prepare(on(targets), input)
    const only = ({ affected, skipped }: DryRun) =>
      skipped.length === 0 ? whole : command.prepare(on(targets.filter(among(affected))), input)
    const plan = given.approved ?? (await approve(host, command, targets, whole, only))
    if (!plan || session.userId !== person || host.context().role !== context.role) return { is: 'stopped' }
    const call = only(plan)
    const run = await host.begin(command, { input, targets, skipped: plan.skipped })
    arrives()
    try {
      const result = await call.run(run.services)
      const outcome = outcomeOf(result, plan.skipped)
      const message = outcome ? call.done(outcome) : messageOf(result)
      const before = typeof result === 'object' ? (result.before ?? []) : []
      run.end({ is: 'done', outcome, message, before })
      // Who signed in meanwhile is told nothing of what somebody else did.
      if (session.userId !== person) return { is: 'stopped' }
      const job = run.job ?? (outcome && uniqueId())
      if (outcome) settle(host, command, { ...given, input }, targets, outcome, message ?? command.title, job)
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
      // A form shows at its fields what is wrong with its own input; nobody else would.
      if (given.input === undefined) host.failed(error)
      return { is: 'invalid', fields: error.fields }
    }
    if (!isAbort(error) && session.userId === person) host.failed(error)
    return { is: 'failed', error }
  } finally {
    arrives()
  }
}

const among = (ids: readonly string[]) => {
  const set = new Set(ids)
  return ({ id }: AnyItem) => set.has(id)
}

/** What the person agreed to do; undefined where they backed out. */
async function approve(
  host: Host,
  command: Command,
  targets: readonly AnyItem[],
  call: Call,
  only: (plan: DryRun) => Call,
): Promise<DryRun | undefined> {
  const all = { affected: targets.map(({ id }) => id), skipped: [] }
  if (targets.length > 1 && changesTargets(command))
    return (await import('./confirmPlan.ts')).confirmPlan(host, command, targets, all, call, only)
  return !call.question || (await suspendWhilePrompting(host.confirm(call.question, command))) ? all : undefined
}

const messageOf = (result: Result): string | undefined => {
  if (typeof result !== 'object') return result ?? undefined
  return 'message' in result ? result.message : undefined
}

/** What came of all targets: those left alone are among the failed, each with its reason. */
function outcomeOf(result: Result, skipped: readonly Failure[]): Outcome | undefined {
  if (typeof result !== 'object' || 'message' in result) return undefined
  return { ...result, failed: [...result.failed, ...skipped] }
}

/** Keeps what failed selected, and at hand for a retry; a part of something greater leaves the others selected too. */
function settle(
  host: Host,
  command: Command,
  { input, approved: part }: ExecuteOptions,
  targets: readonly AnyItem[],
  outcome: Outcome,
  title: string,
  job: string | undefined,
): void {
  const reasons = new Map(outcome.failed.map(({ id, message }) => [id, message]))
  if (((reasons.size > 0 && !part) || command.forgets) && command.entity)
    selections[command.entity].remove(outcome.done)
  if (command.forgets && command.entity) forgetTargets(command.entity, outcome.done)
  if (!command.repeatable && reasons.size === 0) return
  const failed = targets.filter(target => reasons.has(target.id))
  const told = shownFailures(command, failed, ({ id }) => reasons.get(id))
  recordLastRun({
    id: command.id,
    again: others => execute(host, command, { input, ...(others && { targets: others }) }),
    repeatable: command.repeatable,
    title: command.title,
    input,
    job,
    failed,
    told: failed.length > 0 ? { title, failed: told } : undefined,
  })
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** What a failed call is to say: the joined list first, then the message as it came (specification, section 8). */
export function errorMessages(error: unknown): readonly (string | readonly string[])[] {
  if (error instanceof ApiError) return typeof error.raw === 'string' ? [error.raw] : [error.message, error.raw]
  return [errorText(error)]
}
