/** Orders: what is sent for many ids, previewed and done by the same call. */
import type * as z from 'zod/mini'
import type { BulkEndpoint } from '../../../api/contract/endpoint.ts'
import type { BulkOperation } from '../types.ts'

/** The call's values, the ids left out: those are the targets'. */
export const bulkOperation = <Body extends z.ZodMiniType>(
  endpoint: BulkEndpoint<Body>,
  values: Omit<z.input<Body>, 'ids'>,
): BulkOperation => ({
  send: (ids, { call: send, preview, signal }) =>
    send(endpoint, {
      ...(preview && { query: { preview: 'true' } }),
      // With its ids, these are the body: that is what `values` leaves out.
      body: { ids: [...ids], ...values } as z.input<Body>,
      ...(signal && { signal }),
    }),
})
