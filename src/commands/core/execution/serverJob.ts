/** Decides what the server carries out as a job, and from which policy a person starts. Loaded when first needed. */
import type { JobPolicy } from '../../../api/contract/jobPolicy.ts'
import { jobCommands, maxJobIds } from '../../../api/contract/jobs.ts'
import { createJob, previewJob } from '../../../api/jobs/jobs.ts'
import type { BulkOperation, CallOperation, Command, SendIds, ServerJob } from '../types.ts'

/** How an operation reaches its targets: by calls, or as a job of the server. */
export type Route = { readonly job: ServerJob } | { readonly job?: undefined; readonly send: SendIds }

/** Returns the route of an operation on this many targets: a single one is called directly, unless there is a policy. */
export function routeOf(operation: BulkOperation, count: number, policy: JobPolicy = {}): Route {
  if (operation.send === undefined) return operation
  const job = jobOf(operation)
  const isJob = count > 1 || Object.keys(policy).length > 0
  return job && isJob && count <= maxJobIds ? { job } : { send: operation.send }
}

/** Returns the job that does what the calls of an operation do; undefined if there is none. */
function jobOf({ calls }: CallOperation): ServerJob | undefined {
  const command = calls && Object.keys(jobCommands).find(name => jobCommands[name] === calls.endpoint)
  if (command === undefined) return undefined
  const input = { ...calls!.values }
  return {
    initialPolicy: count => (command === 'update_firmware' ? rolloutPolicy(count) : {}),
    preview: (ids, policy, signal) => previewJob({ command, input, ids, policy }, signal),
    create: (ids, policy) => createJob({ command, input, ids, policy }),
  }
}

/**
 * Returns the policy from which a person starts, with what they have typed; undefined if the operation is no job on
 * this many targets, or its policy cannot be chosen.
 */
export function startingPolicy(operation: BulkOperation, count: number, typed?: JobPolicy): JobPolicy | undefined {
  const initial = routeOf(operation, count, typed).job?.initialPolicy
  return initial && { ...initial(count), ...typed }
}

/** Whether a command can be carried out as a job, so that a policy can be typed after it. */
export const canBeJob = ({ endpoint }: Pick<Command, 'endpoint'>): boolean =>
  Object.values(jobCommands).some(one => one === endpoint)

/** The fewest devices on which firmware starts in waves. */
const minRollout = 50
/** A new firmware is tried on few devices first, stops if it fails, and waits for devices that are offline. */
const rolloutPolicy = (count: number): JobPolicy => ({
  ...(count >= minRollout && {
    waves: [
      { size: '1%', wait: 60 },
      { size: '10%', wait: 60 },
    ],
  }),
  stop: { failed: '5%', after: 20 },
  offline: 168,
})
