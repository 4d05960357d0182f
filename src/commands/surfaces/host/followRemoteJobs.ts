/** Follows jobs of the server that another page of the account has started, as if this page had. */
import type { Job as ServerJob } from '../../../api/contract/jobs.ts'
import { followJob } from '../../../api/jobs/jobs.ts'
import { retryCount } from '../../../domain/jobs/counts.ts'
import type { AnyItem, DeviceItem } from '../../../store/selection.ts'
import { session } from '../../../store/session.ts'
import { currentContext, withTargets } from '../../core/context.ts'
import { settle } from '../../core/execution/settle.ts'
import { InvalidInput } from '../../core/invalidInput.ts'
import { endJob } from '../../core/runs/jobRuns.ts'
import type { Job } from '../../core/runs/jobs.ts'
import type { Outcome } from '../../core/runs/outcome.ts'
import { findCommand } from '../../core/registry.ts'
import type { Command } from '../../core/types.ts'
import { addRemoteJob, loadOutcome } from '../../jobs/remoteRuns.ts'
import { runCommand } from '../run/run.ts'
import { toastProgress, type ShownProgress } from '../toasts/progress.tsx'
import { toastFailure, toastOutcome } from '../toasts/toasts.tsx'
import { formatNumber } from '../../../domain/format.ts'

/** Whether a job does something now, so that its progress is worth a toast. */
const isMoving = ({ state, next_wave_at, counts }: ServerJob): boolean =>
  (state === 'running' || state === 'cancelling') && next_wave_at === null && counts.queued + counts.sent > 0

/** Follows those of the account's jobs that this page does not follow yet, each with a toast until it ends or waits. */
export function followRemoteJobs(all: readonly ServerJob[]): void {
  for (const serverJob of all) {
    if (!isMoving(serverJob)) continue
    const job = addRemoteJob(serverJob, all)
    if (job) void follow(job, serverJob)
  }
}

async function follow(job: Job, { _id: id, policy, input, counts }: ServerJob): Promise<void> {
  const { userId } = session
  const { signal } = job.detail.cancel
  // A job that waits for its next wave or window would otherwise show a toast at each reload.
  const isBusy = counts.queued > 0 && policy.waves === undefined && policy.window === undefined
  let progress: ShownProgress | undefined = isBusy ? toastProgress(job.title, job) : undefined
  try {
    const last = await followJob(id, {
      signal,
      report(now) {
        if (JSON.stringify(now.counts) !== JSON.stringify(counts)) progress ??= toastProgress(job.title, job)
        const { done } = now.counts
        // The totals of a run count what it has recorded; this one records nothing before its end.
        Object.assign(job, { done: 0, failed: 0, inFlight: { done, failed: retryCount(now) } })
      },
    })
    const outcome = await loadOutcome(job, last, progress ?? { signal, report: () => undefined })
    if (session.userId !== userId) return
    endJob(job, { outcome })
    if (progress) report(job, outcome, { input, policy })
  } catch (error) {
    if (session.userId !== userId) return
    endJob(job, { error: 'The job can no longer be read' })
    toastFailure(error)
  } finally {
    progress?.end()
  }
}

/** Shows the outcome, and records it so that the failed devices can be retried. */
function report(
  job: Job,
  outcome: Awaited<ReturnType<typeof loadOutcome>>,
  given: Pick<ServerJob, 'input' | 'policy'>,
) {
  const command = findCommand(job.command)
  const { targets } = job.detail
  // An undo is no command of the registry with this input.
  const isPlain = command?.entity === 'devices' && (targets.length > 0 || command.removesTargets)
  // Of devices that were deleted only the ids are known.
  const items = targets.length > 0 ? targets : outcome.done.map(unknownDevice)
  const text = isPlain ? doneText(command, items, given.input, outcome) : undefined
  const message = outcome.continues ?? text ?? `${formatNumber(outcome.done.length)} of ${formatNumber(job.total)} done`
  const shown = text !== undefined && outcome.continues === undefined ? message : `${job.title}: ${message}`
  if (isPlain)
    settle({
      command,
      targets,
      outcome,
      message: shown,
      keepsSelection: true,
      job: job.id,
      again: (items, instead) =>
        runCommand(instead, { input: given.input, ...(items && { targets: items, source: 'Failed in the last run' }) }),
    })
  if (command) toastOutcome(command, shown, outcome, job.id)
}

/** Returns the message of a command that has run; undefined if it would not run on these devices here. */
function doneText(
  command: Command,
  items: readonly AnyItem[],
  input: ServerJob['input'],
  outcome: Outcome,
): string | undefined {
  try {
    return command.prepare(withTargets(currentContext(), 'devices', items), input).done(outcome)
  } catch (error) {
    if (error instanceof InvalidInput) return undefined
    throw error
  }
}

const unknownDevice = (id: string): DeviceItem => ({ id, name: id, vendor: '', company: '', status: -1, platform: '' })
