import { call } from '../../../api/client.ts'
import type { BulkOperation, DryRun } from '../../core/types.ts'
import type { DryRunProgress } from '../../core/execution/host.ts'
import { dryRun } from '../../core/execution/dryRun.ts'
import { toastProgress } from '../toasts/progress.tsx'

/** What an order would do to each id; between its preview and its run, which nobody watches, a toast tells how far it is. */
export async function dryRunWithProgress(
  order: BulkOperation,
  ids: readonly string[],
  watch: DryRunProgress | undefined,
): Promise<DryRun> {
  if (watch) return dryRun(order, ids, { call, ...watch })
  const progress = toastProgress('Checking once more')
  try {
    return await dryRun(order, ids, { call, signal: progress.signal, at: progress.at })
  } finally {
    progress.end()
  }
}
