import type * as z from 'zod/mini'
import type { BulkEndpoint } from '../../../api/contract/endpoint.ts'
import { jobCommands, maxJobIds } from '../../../api/contract/jobs.ts'
import { createJob, previewJob } from '../../../api/jobs.ts'
import type { BulkOperation, CallOperation, SendIds, ServerJob } from '../types.ts'

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
  policy: {},
  preview: (ids, policy, signal) => previewJob({ command, input, ids, policy }, signal),
  create: (ids, policy) => createJob({ command, input, ids, policy }),
})

/** How an operation reaches its targets: by calls, or as a job of the server. */
export type Route = { readonly job: ServerJob } | { readonly job?: undefined; readonly send: SendIds }

/** Returns the route of an operation on this many targets: a single one is called directly. */
export function routeOf({ send, job }: BulkOperation, count: number): Route {
  if (send === undefined) return { job }
  return job && count > 1 && count <= maxJobIds ? { job } : { send }
}
