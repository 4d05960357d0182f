/** Decides what the server carries out as a job, and from which policy a person starts. Loaded when first needed. */
import type { JobPolicy } from '../../../api/contract/jobPolicy.ts'
import { jobCommands, maxJobIds, meaninglessFields, type JobSearch } from '../../../api/contract/jobs.ts'
import { createJob, previewJob, type ChosenPolicy, type JobDevices } from '../../../api/jobs/jobs.ts'
import { searchOf } from '../../../api/readList.ts'
import { searchInBaseUnit } from '../../../domain/lists/amountInBase.ts'
import { retryOnce, tooManyForJob } from '../../../domain/jobs/texts.ts'
import { messages } from '../../../domain/messages.ts'
import { msPerMinute } from '../../../domain/time.ts'
import { maxPerCall } from '../../../api/contract/endpoint.ts'
import type { AnyItem, ListSearch } from '../../../store/selection.ts'
import type { BulkOperation, Call, CallOperation, Command, SendIds, SentOperation, ServerJob } from '../types.ts'
import type { Context } from '../context.ts'
import type { Host } from './host.ts'
import { idsOf, unreadMatches } from './unreadMatches.ts'

/** How an operation reaches its targets: by calls, or as a job of the server. */
export type Route = { readonly job: ServerJob } | { readonly job?: undefined; readonly send: SendIds }

/**
 * Returns the route of an operation on this many targets: a single one is called directly, unless there is a policy. Throws
 * an Error if they are too many for a job.
 */
export function routeOf(operation: SentOperation, count: number, policy: ChosenPolicy = {}): Route {
  if (operation.send === undefined) return operation
  const job = jobOf(operation)
  const isJob = count > 1 || Object.keys(policy).length > 0
  if (!job || !isJob) return { send: operation.send }
  if (count > maxJobIds) throw new Error(tooManyForJob(count, maxJobIds))
  return { job }
}

function jobSearchOf(search: ListSearch): JobSearch {
  const found = searchInBaseUnit(searchOf(search))
  return { ...found, operator: found.operator ?? 'co' }
}

/** Returns the job that does what the calls of an operation do, on a search if it is given; undefined if there is none. */
function jobOf({ calls }: CallOperation, search?: ListSearch): ServerJob | undefined {
  const command = calls && jobCommandOf(calls)
  if (command === undefined) return undefined
  const input: Readonly<Record<string, unknown>> = { ...calls!.values }
  const devicesOf = (ids: readonly string[]): JobDevices => (search ? { search: jobSearchOf(search) } : { ids })
  return {
    isSearch: search !== undefined,
    initialPolicy: count => (command === 'update_firmware' ? rolloutPolicy(count) : {}),
    preview: (ids, policy = {}, signal) => previewJob({ command, input, devices: devicesOf(ids), policy }, signal),
    create: (ids, policy = {}) => createJob({ command, input, devices: devicesOf(ids), policy }),
    ...(command === 'update_firmware' && { installs: String(input['version']) }),
  }
}

/**
 * Returns placeholders for this many matches of a search if a job finds them and one call would not return all: the preview
 * then waits for no rows. Undefined if their rows are needed.
 */
export const countedMatches = (command: Calling, count: number): readonly AnyItem[] | undefined =>
  count > maxPerCall && canBeJob(command) ? unreadMatches(count) : undefined

/**
 * Returns the targets of a command that acts on all that match a search, which are only counted if they can be. Rejects with
 * ApiError, or AbortError if cancelled.
 */
export async function searchTargets(
  host: Pick<Host, 'matches'>,
  command: Command,
  search: ListSearch,
  context: Context,
): Promise<readonly AnyItem[]> {
  const { entity } = command
  if (!entity) return []
  return countedMatches(command, context.targets(entity).length) ?? host.matches(entity, search)
}

/**
 * Returns a call whose job has the devices that a search finds when it is created, instead of these that match it now; the
 * same call, if the server cannot carry it out as a job.
 */
export function onSearch(call: Call, targets: readonly AnyItem[], search: ListSearch): Call {
  const job = call.operation?.send && jobOf(call.operation, search)
  if (!job) return call
  const operation: BulkOperation = { job }
  return { ...call, operation, run: services => services.carryOut(operation, idsOf(targets)) }
}

/**
 * Returns the policy from which a person starts, with what they have typed; undefined if the operation is no job on
 * this many targets, or its policy cannot be chosen. Rejects with ApiError.
 */
export async function startingPolicy(
  operation: BulkOperation,
  count: number,
  typed?: ChosenPolicy,
): Promise<ChosenPolicy | undefined> {
  if (operation.own) return undefined
  const initial = routeOf(operation, count, typed).job?.initialPolicy
  return initial && { ...(await initial(count)), ...typed }
}

type Calling = Pick<Command, 'endpoint'>

/** Returns the name of the command whose jobs make the same calls; undefined if there is none. */
const jobCommandOf = ({ endpoint }: Calling): string | undefined =>
  Object.keys(jobCommands).find(name => jobCommands[name] === endpoint)

/** Whether a command can be carried out as a job, so that a policy can be typed after it. */
export const canBeJob = (command: Calling): boolean => jobCommandOf(command) !== undefined

/** Returns the fields of a policy that have no meaning for a command. */
export function meaninglessFieldsOf(command: Calling): readonly (keyof JobPolicy)[] {
  const name = jobCommandOf(command)
  return name === undefined ? [] : meaninglessFields(name)
}

/** What a job has to do with its devices, which limits its policy. */
export interface JobLimits {
  /** Whether it acts on a search, and can include devices that match the search later. */
  readonly isSearch: boolean
  /** Whether it is on the devices of an earlier job, so that it cannot be repeated. */
  readonly isRetry?: boolean
}

/** How long ago a start may be that is still typed as now, in milliseconds. */
const startTolerance = msPerMinute

/** Returns what is wrong with a policy that was typed for a command; undefined if it can have it. */
export function typedPolicyProblem(
  command: Calling,
  policy: ChosenPolicy,
  { isSearch, isRetry = false }: JobLimits,
  now = Date.now(),
): string | undefined {
  if (policy.until !== undefined && !isSearch) return messages.untilNeedsSearch
  if (isRetry && typeof policy.start === 'object') return retryOnce
  const isOver = typeof policy.start === 'string' && Date.parse(policy.start) < now - startTolerance
  if (isOver) return messages.startHasPassed
  return meaninglessFieldsOf(command).some(field => policy[field] !== undefined) ? messages.nothingIsSent : undefined
}

/** The fewest devices on which firmware starts in waves. */
const minRollout = 50
/** A new firmware is tried on few devices first, stops if it fails, and waits for devices that are offline. */
const rolloutPolicy = (count: number): ChosenPolicy => ({
  ...(count >= minRollout && {
    waves: [
      { size: '1%', wait: 60 },
      { size: '10%', wait: 60 },
    ],
  }),
  stop: { failed: '5%', after: 20 },
  offline: 168,
})
