import { call } from '../../../api/client.ts'
import type { Order, Plan } from '../../core/command.ts'
import type { Watch } from '../../core/execution/host.ts'
import { planned } from '../../core/execution/dryRun.ts'
import { toastProgress } from '../toasts/progress.tsx'

/** What an order would do to each id; between its preview and its run, which nobody watches, a toast tells how far it is. */
export async function checked(order: Order, ids: readonly string[], watch: Watch | undefined): Promise<Plan> {
  if (watch) return planned(order, ids, { call, ...watch })
  const progress = toastProgress('Checking once more')
  try {
    return await planned(order, ids, { call, signal: progress.signal, at: progress.at })
  } finally {
    progress.end()
  }
}
