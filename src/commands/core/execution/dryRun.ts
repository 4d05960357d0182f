/** Asking what an order would do. */
import type { call } from '../../../api/client.ts'
import { mostPerCall, type BulkAnswer } from '../../../api/contract/endpoint.ts'
import type { Order, Plan } from '../command.ts'

/** What the order would do to each id now. Rejects with ApiError, or AbortError when `signal` fired. */
export async function planned(
  order: Order,
  ids: readonly string[],
  how: { call: typeof call; signal: AbortSignal; at?: (done: number, total: number) => void },
): Promise<Plan> {
  const wont: BulkAnswer['failed'] = []
  for (let start = 0; start < ids.length; start += mostPerCall) {
    const chunk = ids.slice(start, start + mostPerCall)
    const { failed } = await order.send(chunk, { call: how.call, preview: true, signal: how.signal })
    wont.push(...failed)
    how.at?.(start + chunk.length, ids.length)
  }
  const skipped = new Set(wont.map(({ id }) => id))
  return { will: ids.filter(id => !skipped.has(id)), wont }
}
