import { call } from '../../../api/client.ts'
import type { ChosenPolicy } from '../../../api/jobs/jobs.ts'
import type { BulkOperation, DryRun } from '../../core/types.ts'
import type { DryRunProgress } from '../../core/execution/host.ts'
import { dryRun } from '../../core/execution/dryRun.ts'
import { toastProgress } from '../toasts/progress.tsx'

/**
 * Returns what an operation would do to each id. Without `progress`, for the check between the preview and the run, a
 * toast shows the progress.
 */
export async function dryRunWithProgress(
  operation: BulkOperation,
  ids: readonly string[],
  progress: DryRunProgress | undefined,
  policy: ChosenPolicy | undefined,
): Promise<DryRun> {
  if (progress) return dryRun(operation, ids, { call, ...progress, policy })
  const toast = toastProgress('Checking again')
  try {
    return await dryRun(operation, ids, { call, signal: toast.signal, report: toast.report, policy })
  } finally {
    toast.end()
  }
}
