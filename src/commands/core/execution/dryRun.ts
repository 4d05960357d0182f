import type { call } from '../../../api/client.ts'
import { maxPerCall, type BulkResponse } from '../../../api/contract/endpoint.ts'
import type { BulkOperation, DryRun } from '../types.ts'

/**
 * Returns what the operation would do to each id. Rejects with ApiError, or with AbortError once `signal` is aborted.
 */
export async function dryRun(
  operation: BulkOperation,
  ids: readonly string[],
  how: { call: typeof call; signal: AbortSignal; report?: (done: number, total: number) => void },
): Promise<DryRun> {
  const skipped: BulkResponse['failed'] = []
  for (let start = 0; start < ids.length; start += maxPerCall) {
    const chunk = ids.slice(start, start + maxPerCall)
    const { failed } = await operation.send(chunk, { call: how.call, preview: true, signal: how.signal })
    skipped.push(...failed)
    how.report?.(start + chunk.length, ids.length)
  }
  const skippedIds = new Set(skipped.map(({ id }) => id))
  return { affected: ids.filter(id => !skippedIds.has(id)), skipped }
}
