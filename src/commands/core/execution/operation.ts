import type * as z from 'zod/mini'
import type { BulkEndpoint } from '../../../api/contract/endpoint.ts'
import type { CallOperation } from '../types.ts'

/**
 * Returns the bulk operation that sends these values to an endpoint. The values exclude the ids, which are the
 * targets'. If the server can carry it out as a job, it does so for more than one device.
 */
export const bulkOperation = <Body extends z.ZodMiniType>(
  endpoint: BulkEndpoint<Body>,
  values: Omit<z.input<Body>, 'ids'>,
): CallOperation => ({
  send: (ids, { call: send, preview, signal }) =>
    send(endpoint, {
      ...(preview && { query: { preview: 'true' } }),
      // `values` is the body without its ids, so together they are the body.
      body: { ids: [...ids], ...values } as z.input<Body>,
      ...(signal && { signal }),
    }),
  calls: { endpoint, values },
})
