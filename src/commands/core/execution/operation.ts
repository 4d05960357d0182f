import type * as z from 'zod/mini'
import type { BulkEndpoint } from '../../../api/contract/endpoint.ts'
import type { JobPolicy } from '../../../api/contract/jobPolicy.ts'
import { jobCommands, maxJobIds } from '../../../api/contract/jobs.ts'
import { createJob, previewJob } from '../../../api/jobs/jobs.ts'
import type { BulkOperation, CallOperation, Command, SendIds, ServerJob } from '../types.ts'

/**
 * Returns the bulk operation that sends these values to an endpoint. The values exclude the ids, which are the
 * targets'. If the server can carry it out as a job, it does so for more than one device.
 */
export function bulkOperation<Body extends z.ZodMiniType>(
  endpoint: BulkEndpoint<Body>,
  values: Omit<z.input<Body>, 'ids'>,
): CallOperation {
  const command = Object.keys(jobCommands).find(name => jobCommands[name] === endpoint)
  return {
    send: (ids, { call: send, preview, signal }) =>
      send(endpoint, {
        ...(preview && { query: { preview: 'true' } }),
        // `values` is the body without its ids, so together they are the body.
        body: { ids: [...ids], ...values } as z.input<Body>,
        ...(signal && { signal }),
      }),
    ...(command !== undefined && { job: jobOf(command, values) }),
  }
}

const jobOf = (command: string, input: Readonly<Record<string, unknown>>): ServerJob => ({
  initialPolicy: count => (command === 'update_firmware' ? rolloutPolicy(count) : {}),
  preview: (ids, policy, signal) => previewJob({ command, input, ids, policy }, signal),
  create: (ids, policy) => createJob({ command, input, ids, policy }),
})

/** How an operation reaches its targets: by calls, or as a job of the server. */
export type Route = { readonly job: ServerJob } | { readonly job?: undefined; readonly send: SendIds }

/** Returns the route of an operation on this many targets: a single one is called directly, unless there is a policy. */
export function routeOf({ send, job }: BulkOperation, count: number, policy: JobPolicy = {}): Route {
  if (send === undefined) return { job }
  const isJob = count > 1 || Object.keys(policy).length > 0
  return job && isJob && count <= maxJobIds ? { job } : { send }
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
