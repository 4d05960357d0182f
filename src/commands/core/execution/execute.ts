/** The only way to run a command, for every surface, so that no guard can be skipped. */
import type { ChosenPolicy } from '../../../api/jobs/jobs.ts'
import { revalidate } from '../../../api/hooks.ts'
import { uniqueId } from '../../../domain/uniqueId.ts'
import type { Failure } from '../../../domain/commands/failures.ts'
import type { AnyItem, ListSearch } from '../../../store/selection.ts'
import { changeSelection, pendingSelectionChange } from '../runs/selectionChanges.ts'
import { messages } from '../../../domain/messages.ts'
import { session } from '../../../store/session.ts'
import type { Call, Command, ExecutionResult, DryRun, Result } from '../types.ts'
import type { Outcome } from '../runs/outcome.ts'
import { InvalidInput } from '../invalidInput.ts'
import { changesTargets } from '../changesTargets.ts'
import { withTargets } from '../context.ts'
import type { Host, InitialArguments, Preview } from './host.ts'
import { actsOnPendingRows } from '../pendingRows.ts'
import { beginPending, suspendWhilePrompting } from '../runs/pendingCommands.ts'
import { waitUnlessCancelled } from '../runs/waitingCommands.ts'

export interface ExecuteOptions<Input = unknown> {
  /** The arguments; the host prompts for them if they are missing. */
  readonly input?: Input
  /** The known arguments when the host prompts for the others. */
  readonly start?: InitialArguments
  /** The targets, instead of the selection. */
  readonly targets?: readonly AnyItem[]
  /** Where `targets` come from, as a preview shows it. */
  readonly source?: string
  /** The search whose matches `targets` are. */
  readonly search?: ListSearch | undefined
  /** What the person has typed of the policy of a job. */
  readonly policy?: ChosenPolicy
  /** The plan, if the person has already approved it in the preview of a script. */
  readonly approved?: DryRun
  /** Whether the caller shows what is wrong with its input, as a form does at its fields. */
  readonly showsInvalid?: boolean
  /** Whether failures leave the selection as it is, because another command is to act on the same targets. */
  readonly keepsSelection?: boolean
}

const usesSelection = ({ entity, selection }: Command) => entity !== undefined || selection !== undefined
const prompts = ({ fields }: Command, { input, start }: ExecuteOptions) =>
  input === undefined && (fields.length > 0 || start !== undefined)
const isDone = ({ is }: ExecutionResult) => is === 'done'

/**
 * Runs a command: checks its availability, prompts for arguments, gets the approval and reports the outcome. A command
 * that uses the selection starts once the earlier changes of it have ended, and does not run if they failed. So a
 * command that changes the selection must not run another one that uses it, except on given targets. Likewise a command
 * that acts on rows starts once these have loaded.
 */
export function execute(host: Host, command: Command, options: ExecuteOptions = {}): Promise<ExecutionResult> {
  const earlier = options.targets || !usesSelection(command) ? undefined : pendingSelectionChange()
  const mustWait = earlier ?? (!options.targets && actsOnPendingRows(command, host.context()))
  const start = () => (mustWait ? executeAfter(earlier, host, command, options) : executeNow(host, command, options))
  // While it prompts, the selection is not changing yet.
  return command.selection === 'changes' && !prompts(command, options) ? changeSelection(start, isDone) : start()
}

/** Runs a command once the earlier change of the selection has ended and the rows that it acts on have loaded. */
async function executeAfter(
  earlier: Promise<boolean> | undefined,
  host: Host,
  command: Command,
  options: ExecuteOptions,
): Promise<ExecutionResult> {
  const userId = session.userId
  const endPending = beginPending()
  const name = `“${command.title}”`
  const endWaiting = host.waiting(`${name} waits for the ${earlier ? 'selection' : 'rows'}. Press Esc to cancel.`)
  const result = await waitUnlessCancelled(async signal => {
    const { waitForTargets } = await import('./waitForTargets.ts')
    return { reason: await waitForTargets(command, host.context, earlier, signal) }
  }).catch(() => ({ reason: 'its code could not be loaded' }))
  endPending()
  endWaiting()
  if (session.userId !== userId || !result) return { is: 'stopped' }
  if (result.reason === undefined) return executeNow(host, command, options)
  host.didNotRun(`${name} did not run, because ${result.reason}`)
  return { is: 'stopped' }
}

async function executeNow(host: Host, command: Command, options: ExecuteOptions): Promise<ExecutionResult> {
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
    const source = options.targets ? options.source : host.sourceOf(command, context)
    const search = options.targets ? options.search : host.searchOf(command, context)
    if (options.policy?.until !== undefined && !search) {
      host.blocked(messages.untilNeedsSearch)
      return { is: 'stopped' }
    }
    const { entity } = command
    const ofSearch = async (all: ListSearch) =>
      (await import('./serverJob.ts')).searchTargets(host, command, all, context)
    const targets =
      options.targets ?? (entity ? [...(await (search ? ofSearch(search) : host.targets(command, context)))] : [])
    const on = (items: readonly AnyItem[]) => (command.entity ? withTargets(context, command.entity, items) : context)
    const isPrompting = prompts(command, options)
    const input = isPrompting
      ? await suspendWhilePrompting(host.ask(command, on(targets), options.start))
      : (options.input ?? {})
    if (input === undefined) return { is: 'stopped' }
    const prepared = command.prepare(on(targets), input)
    const needsPreview = !options.approved && isPreviewed(command, targets, options.policy, prepared)
    const whole =
      search && needsPreview ? (await import('./serverJob.ts')).onSearch(prepared, targets, search) : prepared
    const only = (some: readonly AnyItem[]) =>
      some.length === targets.length ? whole : command.prepare(on(some), input)
    const plan =
      options.approved ?? (await approve(host, command, { targets, source, typed: options.policy }, whole, only))
    if (!plan || session.userId !== userId || host.context().role !== context.role) return { is: 'stopped' }
    // A job has a task for each target, so that those that are skipped are on record, too.
    const call = plan.job ? whole : only(targets.filter(isAmong(plan.affected)))
    const approved = { call, input, targets, search, source, skipped: plan.skipped, policy: plan.job?.policy }
    const perform = () => performRun(host, command, approved, options, endPending)
    return await (command.selection === 'changes' && isPrompting ? changeSelection(perform, isDone) : perform())
  } catch (error) {
    if (error instanceof InvalidInput) {
      if (!options.showsInvalid) host.failed(error)
      return { is: 'invalid', fields: error.fields }
    }
    if (!isAbort(error) && session.userId === userId) host.failed(error)
    return { is: 'failed', error }
  } finally {
    endPending()
  }
}

/** A call with what it was prepared from. */
interface ApprovedCall {
  readonly call: Call
  readonly input: unknown
  readonly targets: readonly AnyItem[]
  readonly search: ListSearch | undefined
  readonly source: string | undefined
  readonly skipped: DryRun['skipped']
  /** The policy of a job of the server. */
  readonly policy: ChosenPolicy | undefined
}

/** Performs an approved call, and reports and records its outcome. `onBegin` is called when it starts. */
async function performRun(
  host: Host,
  command: Command,
  { call, source, ...details }: ApprovedCall,
  options: ExecuteOptions,
  onBegin: () => void,
): Promise<ExecutionResult> {
  const userId = session.userId
  const run = await host.begin(command, details)
  onBegin()
  try {
    const result = await call.run(run.services)
    const outcome = outcomeOf(result, details.policy ? [] : details.skipped)
    const message = outcome ? outcomeText(command, call, outcome) : messageOf(result)
    const before = typeof result === 'object' ? (result.before ?? []) : []
    run.end({ is: 'done', outcome, message, before })
    // After a user switch, the new user must not see the result of the previous one.
    if (session.userId !== userId) return { is: 'stopped' }
    const job = run.job ?? (outcome && uniqueId())
    const { input } = details
    const targets = run.targets?.() ?? details.targets
    // A repetition begins at once, on the devices that it then has.
    const policy = details.policy && omitTimes(details.policy)
    if (outcome) {
      const { settle } = await import('./settle.ts')
      settle({
        command,
        targets,
        outcome,
        keepsSelection: options.keepsSelection ?? options.approved !== undefined,
        message: message ?? command.title,
        job,
        again: (newTargets, instead) =>
          execute(host, instead, {
            input,
            ...(policy && { policy }),
            ...(newTargets && { targets: newTargets, source: 'Failed in the last run' }),
          }),
      })
    }
    if (message) host.finished(command, message, outcome, job ?? jobOf(result))
    return { is: 'done', ...(outcome && { outcome, on: { targets, source, job } }) }
  } catch (error) {
    run.end({ is: 'failed', error })
    throw error
  } finally {
    if (command.endpoint && command.endpoint.method !== 'GET') void revalidate(command.endpoint)
  }
}

const idOf = ({ id }: AnyItem) => id

/** Whether a preview is shown: of a command that changes several targets, has a policy, or decides what it does to one. */
const isPreviewed = (
  command: Command,
  targets: readonly AnyItem[],
  typed: ChosenPolicy | undefined,
  { operation }: Call,
): boolean => (targets.length > 1 || typed !== undefined || operation?.own !== undefined) && changesTargets(command)

const isAmong = (ids: readonly string[]) => {
  const set = new Set(ids)
  return ({ id }: AnyItem) => set.has(id)
}

/** Resolves with the approved plan, or with undefined if the person cancels. */
async function approve(
  host: Host,
  command: Command,
  { targets, source, typed }: Pick<Preview, 'targets' | 'source'> & { readonly typed: ChosenPolicy | undefined },
  call: Call,
  only: (some: readonly AnyItem[]) => Call,
): Promise<DryRun | undefined> {
  if (isPreviewed(command, targets, typed, call)) {
    const { confirmPlan } = await import('./confirmPlan.ts')
    return confirmPlan(host, command, { targets, source, typed }, call, only)
  }
  const all = { affected: targets.map(idOf), skipped: [] }
  return !call.question || (await suspendWhilePrompting(host.confirm(call.question, command, source))) ? all : undefined
}

const messageOf = (result: Result): string | undefined => {
  if (typeof result !== 'object') return result ?? undefined
  return 'message' in result ? result.message : undefined
}

const jobOf = (result: Result) => (typeof result === 'object' && 'job' in result ? result.job : undefined)

/** Returns the policy without its start and end; undefined if nothing else is in it. */
function omitTimes({ start: _start, until: _until, ...policy }: ChosenPolicy): ChosenPolicy | undefined {
  return Object.keys(policy).length > 0 ? policy : undefined
}

const outcomeText = ({ title }: Command, call: Call, outcome: Outcome): string | undefined =>
  outcome.continues === undefined ? call.done(outcome) : `${title}: ${outcome.continues}`

/** Returns the outcome of all targets: those that were left out count as failed, with the reason. */
function outcomeOf(result: Result, skipped: readonly Failure[]): Outcome | undefined {
  if (typeof result !== 'object' || 'message' in result) return undefined
  return { ...result, failed: [...result.failed, ...skipped] }
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
