/** Undoes a run with a command made for it, which is previewed, runs and becomes a job like others. */
import * as z from 'zod/mini'
import { ApiError } from '../../api/errors.ts'
import type { Endpoint, PreviousValues } from '../../api/contract/endpoint.ts'
import { jobs as contract } from '../../api/contract/jobs.ts'
import { createUndo, previewUndo } from '../../api/jobs/jobs.ts'
import type { Failure } from '../../domain/commands/failures.ts'
import type { Question } from '../../domain/commands/question.ts'
import type { AnyItem } from '../../store/selection.ts'
import { findCommand } from '../core/registry.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Call, Command, ExecutionResult, Needs, Services } from '../core/types.ts'
import { withTargets, currentContext } from '../core/context.ts'
import { InvalidInput } from '../core/invalidInput.ts'
import { earlierSelection, restoreEarlierSelection } from '../core/runs/earlierSelection.ts'
import { jobs, withoutIds, type Job } from '../core/runs/jobs.ts'
import { combineOperations } from '../core/execution/combineOperations.ts'
import type { Outcome } from '../core/runs/outcome.ts'
import { countOf, nameOrCount } from '../core/wording.ts'
import { loadOutcome } from './remoteRuns.ts'
import { formatNumber } from '../../domain/format.ts'

/** The targets whose previous values are restored by the same command and input. */
interface Part {
  readonly command: Command
  readonly input: unknown
  readonly targets: readonly AnyItem[]
}
/** A part with the prepared call for all its targets. */
interface Prepared extends Part {
  readonly call: Call
}

/** The input of an undo or redo, stored with its job: the id and the title of the original command. */
const UndoInput = z.object({ of: z.string(), title: z.optional(z.string()) })

/** Returns id and title of the original command, also for the job of an undo or redo. */
function originOf({ command, title, detail }: Job): { readonly of: string; readonly title: string } {
  const { data } = z.safeParse(UndoInput, detail.input)
  return { of: data?.of ?? command, title: data?.title ?? title }
}
const inverseOf = (job: Job) => job.detail.inverse ?? findCommand(originOf(job).of)?.undo

/** Ids of the jobs that are being undone, from the preview on, so that a second key press does not undo them again. */
const goingOn = new Set<string>()

/** Returns why a job cannot be undone; undefined if it has ended and has previous values that can be restored. */
export function undoBlocked(job: Job): string | undefined {
  const name = `“${whatOf(job)}”`
  if (job.state === 'running') return `${name} is still running`
  if (goingOn.has(job.id)) return `${name} is already being undone`
  if (hasLeft(job)) return undefined
  return job.done === 0 ? `${name} changed nothing` : `${name} can’t be undone`
}
export const undoable = (job: Job): boolean => undoBlocked(job) === undefined

function hasLeft(job: Job): boolean {
  const inverse = inverseOf(job)
  if (job.undone || !inverse) return false
  return job.remote === undefined
    ? job.detail.before.some(({ values }) => inverse(values))
    : job.done > job.detail.restored.size
}

/** Returns the number of targets that an undo would restore. */
export const restorableCount = ({ remote, done, detail }: Job): number =>
  remote === undefined ? detail.before.reduce((sum, { ids }) => sum + ids.length, 0) : done - detail.restored.size

/** Returns the targets that a job of the server has changed, and no undo has restored. */
const changedTargets = ({ detail: { targets, ended, restored } }: Job): readonly AnyItem[] =>
  targets.filter(({ id }) => ended.has(id) && ended.get(id) === undefined && !restored.has(id))

const cannot = 'The previous values cannot be restored'

/** Returns the parts that undo a job, and the targets whose values cannot be restored. */
function partsOf(job: Job): { parts: readonly Prepared[]; lost: readonly AnyItem[] } {
  const inverse = inverseOf(job)
  const items = new Map(job.detail.targets.map(item => [item.id, item]))
  const parts = new Map<string, Part & { targets: AnyItem[] }>()
  const lost: AnyItem[] = []
  for (const { ids, values } of job.detail.before) {
    const doing = inverse?.(values)
    const command = doing && findCommand(doing.id)
    const targets = ids.flatMap(id => items.get(id) ?? [])
    if (!doing || !command?.endpoint) {
      lost.push(...targets)
      continue
    }
    const key = JSON.stringify([doing.id, doing.input])
    const part = parts.get(key) ?? { command, input: doing.input, targets: [] }
    part.targets.push(...targets)
    parts.set(key, part)
  }
  const ready: Prepared[] = []
  for (const part of parts.values())
    try {
      ready.push({ ...part, call: prepared(part, part.targets) })
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      lost.push(...part.targets)
    }
  return { parts: ready, lost }
}

/** Returns the call of a part's command for these targets. Throws InvalidInput. */
const prepared = ({ command, input }: Part, targets: readonly AnyItem[]): Call =>
  command.prepare(withTargets(currentContext(), command.entity, targets), input)

/**
 * Restores the values that a job replaced, in a run of its own whose failures can be retried like those of any run.
 * `onCreated` is called with the id of the server's job, if it is one.
 */
export async function undoJob(
  job: Job,
  services: Services,
  onCreated?: (id: string) => void,
): Promise<ExecutionResult> {
  const { remote } = job
  if (remote !== undefined && job.detail.targets.length === 0)
    await loadOutcome(job, await services.call(contract.detail, { params: { id: remote } }), services.progress)
  const { parts, lost } = remote === undefined ? partsOf(job) : { parts: [], lost: changedTargets(job) }
  const command = remote === undefined ? undoing(job, parts) : undoingOnServer(job, remote, onCreated)
  if (!command) return { is: 'stopped' }
  goingOn.add(job.id)
  try {
    const targets = [...parts.flatMap(part => part.targets), ...lost]
    const ending = await services.runCommand(command, originOf(job), targets)
    if (ending.is === 'done' && ending.outcome) {
      putBack(job, ending.outcome.done)
      const earlier = earlierSelection()
      if (earlier?.job === job.id) restoreEarlierSelection(earlier)
    }
    return ending
  } finally {
    goingOn.delete(job.id)
    // `detail` and `goingOn` are outside the proxy, so subscribers see their changes only through a new list.
    jobs.list = [...jobs.list]
  }
}

/** Drops the previous values of restored targets; those of the others can still be restored. */
function putBack(job: Job, done: readonly string[]): void {
  const back = new Set(done)
  const kept = jobs.list.find(({ id }) => id === job.id)
  if (!kept || back.size === 0) return
  kept.detail.before = withoutIds(back, kept.detail.before)
  if (kept.remote !== undefined) for (const id of back) kept.detail.restored.add(id)
  kept.undone = !hasLeft(kept)
}

/** Returns the title of the original command. */
export const whatOf = (job: Job): string => originOf(job).title

/** Returns the command that undoes this job; undefined if nothing can be restored. */
function undoing(job: Job, parts: readonly Prepared[]): Command | undefined {
  const endpoint = parts[0]?.command.endpoint
  if (!endpoint) return undefined
  const question = parts.find(({ call }) => call.question)?.call.question
  const operations = parts.flatMap(({ call: { operation }, targets }) =>
    operation?.send ? [{ ids: new Set(targets.map(({ id }) => id)), operation }] : [],
  )
  const common = commonOf(job, endpoint, question)
  return operations.length === parts.length
    ? defineCommand({ ...common, operation: () => combineOperations(operations, cannot) })
    : defineCommand({ ...common, run: (targets, _, services) => inTurn(parts, targets, services) })
}

/** Returns the command that undoes a job of the server, which has kept the previous values. */
function undoingOnServer(job: Job, remote: string, onCreated?: (id: string) => void): Command | undefined {
  const command = findCommand(originOf(job).of)
  if (!command?.endpoint) return undefined
  return defineCommand({
    ...commonOf(job, command.endpoint, undefined),
    operation: () => ({
      job: {
        preview: (_ids, _policy, signal) => previewUndo(remote, signal),
        async create() {
          const id = await createUndo(remote)
          onCreated?.(id)
          return id
        },
      },
    }),
  })
}

/** What the commands that undo a job have in common. They are not in the registry. */
function commonOf(job: Job, endpoint: Endpoint, question: Question | undefined) {
  const { entity } = job
  const redo = job.command === 'run.undo'
  const title = `${redo ? 'Redo' : 'Undo'} “${whatOf(job)}”`
  const inverse = inverseOf(job)
  return {
    entity,
    id: redo ? 'run.redo' : 'run.undo',
    title,
    group: 'control',
    icon: 'reset',
    endpoint,
    needs: (({ targets }) => {
      const target: readonly AnyItem[] = targets(entity)
      return target.length > 0 ? { target } : { blocked: 'There are no previous values to restore' }
    }) satisfies Needs<readonly AnyItem[]>,
    ...(question && {
      confirm: (targets: readonly AnyItem[]) => ({
        ...question,
        title: `${title}: ${nameOrCount(targets, entity)}?`,
        action: title,
      }),
    }),
    ...(inverse && { undo: inverse }),
    progressTitle: title,
    done: (outcome: Outcome, total: number) =>
      `${redo ? 'Redid' : 'Undid'} “${whatOf(job)}” for ${formatNumber(outcome.done.length)} of ${countOf(total, entity)}`,
  } as const
}

/** Runs the parts one after the other, for commands that act on a single target. */
async function inTurn(
  parts: readonly Part[],
  targets: readonly AnyItem[],
  services: Services,
): Promise<Outcome & { readonly before: readonly PreviousValues[] }> {
  const left = new Set(targets.map(({ id }) => id))
  const done: string[] = []
  const failed: Failure[] = []
  const before: PreviousValues[] = []
  for (const part of parts) {
    const own = part.targets.filter(({ id }) => left.delete(id))
    if (own.length === 0) continue
    const ids = own.map(({ id }) => id)
    try {
      const result = await prepared(part, own).run(services)
      const outcome = typeof result === 'object' && 'done' in result ? result : { done: ids, failed: [] }
      done.push(...outcome.done)
      failed.push(...outcome.failed)
      if (typeof result === 'object') before.push(...(result.before ?? []))
    } catch (error) {
      if (!(error instanceof ApiError) || parts.length === 1) throw error
      failed.push(...ids.map(id => ({ id, message: error.message })))
    }
  }
  return { done, failed: [...failed, ...[...left].map(id => ({ id, message: cannot }))], before }
}
