/** Orders: what is sent for many ids, previewed and done by the same call. */
import type * as z from 'zod/mini'
import type { BulkEndpoint } from '../api/contract/endpoint.ts'
import type { Order, Plan } from './command.ts'

/** The call's values, the ids left out: those are the targets'. */
export const ordering = <Body extends z.ZodMiniType>(
  endpoint: BulkEndpoint<Body>,
  values: Omit<z.input<Body>, 'ids'>,
): Order => ({
  send: (ids, { call: send, preview, signal }) =>
    send(endpoint, {
      ...(preview && { query: { preview: 'true' } }),
      // With its ids, these are the body: that is what `values` leaves out.
      body: { ids: [...ids], ...values } as z.input<Body>,
      ...(signal && { signal }),
    }),
})

/** A target of which something else is to come than was shown. */
export interface Change {
  readonly id: string
  /** Why it is skipped; undefined where it is not. */
  readonly before: string | undefined
  readonly now: string | undefined
}

/** What a later plan for the same targets says otherwise. */
export function changes(before: Plan, now: Plan): readonly Change[] {
  const reasons = (plan: Plan) => new Map(plan.wont.map(({ id, message }) => [id, message]))
  const then = reasons(before)
  const later = reasons(now)
  return [...before.will, ...before.wont.map(({ id }) => id)]
    .filter(id => then.get(id) !== later.get(id))
    .map(id => ({ id, before: then.get(id), now: later.get(id) }))
}
