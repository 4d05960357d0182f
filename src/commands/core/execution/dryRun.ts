import type { call } from '../../../api/client.ts'
import { maxPerCall, type BulkResponse } from '../../../api/contract/endpoint.ts'
import type { ChosenPolicy } from '../../../api/jobs/jobs.ts'
import type { BulkOperation, DryRun, SendIds, ServerJob } from '../types.ts'
import { routeOf } from './serverJob.ts'

interface DryRunOptions {
  readonly call: typeof call
  readonly signal: AbortSignal
  readonly report?: (done: number, total: number) => void
  /** The policy of a job of the server. */
  readonly policy?: ChosenPolicy | undefined
}

/**
 * Returns what the operation would do to each id. Rejects with ApiError, or with AbortError once `signal` is aborted.
 */
export function dryRun(operation: BulkOperation, ids: readonly string[], how: DryRunOptions): Promise<DryRun> {
  if (operation.own) return operation.own.plan(ids, how)
  const route = routeOf(operation, ids.length, how.policy)
  return route.job ? planJob(route.job, ids, how) : sendDryRun(route.send, ids, how)
}

/** Asks for the plan of a job in one call. */
async function planJob(job: ServerJob, ids: readonly string[], { signal, policy }: DryRunOptions): Promise<DryRun> {
  const preview = await job.preview(ids, policy, signal)
  const skipped = preview.reasons.flatMap(({ reason, devices }) => devices.map(id => ({ id, message: reason })))
  return {
    ...planOf(ids, skipped),
    job: {
      ...preview,
      isSearch: job.isSearch === true,
      policy: policy ?? {},
      ...(job.installs && { installs: job.installs }),
    },
  }
}

async function sendDryRun(send: SendIds, ids: readonly string[], how: DryRunOptions): Promise<DryRun> {
  const skipped: BulkResponse['failed'] = []
  for (let start = 0; start < ids.length; start += maxPerCall) {
    const chunk = ids.slice(start, start + maxPerCall)
    const { failed } = await send(chunk, { call: how.call, preview: true, signal: how.signal })
    skipped.push(...failed)
    how.report?.(start + chunk.length, ids.length)
  }
  return planOf(ids, skipped)
}

function planOf(ids: readonly string[], skipped: DryRun['skipped']): DryRun {
  const skippedIds = new Set(skipped.map(({ id }) => id))
  return { affected: ids.filter(id => !skippedIds.has(id)), skipped }
}
