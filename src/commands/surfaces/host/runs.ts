/** Starts runs with a job, progress and bulk calls. Loaded when first needed. */
import { call } from '../../../api/client.ts'
import { errorText } from '../../../api/errors.ts'
import type { AnyItem } from '../../../store/selection.ts'
import { laterPolicyText } from '../../arguments/policyTexts.ts'
import { carryOut } from '../../core/execution/carryOut.ts'
import { changesTargets } from '../../core/changesTargets.ts'
import { retryCommand } from '../../core/execution/retryJob.ts'
import type { Host } from '../../core/execution/host.ts'
import { areUnread } from '../../core/execution/unreadMatches.ts'
import { notifyRunStarted } from '../../core/runObserver.ts'
import { beginJob, endJob, recordOutcomes } from '../../core/runs/jobRuns.ts'
import type { Job } from '../../core/runs/jobs.ts'
import { freezeSelection } from '../../selection/materialize.ts'
import { findDevices } from './foundDevices.ts'
import { servicesFor } from './services.ts'
import { silentProgress, toastProgress } from '../toasts/progress.tsx'
import { runCommand } from '../run/run.ts'

/** Starts a run; it becomes a job if the command changes its targets. */
export function beginRun(
  ...[command, details, hostTargets]: [...Parameters<Host['begin']>, Host['targets']]
): Awaited<ReturnType<Host['begin']>> {
  const { id, title, entity, undo } = command
  const again = (items: readonly AnyItem[]) =>
    runCommand(job?.remote === undefined ? command : retryCommand(command, job.remote, items), {
      input: details.input,
      targets: items,
    })
  const { policy, search, ...start } = details
  const { length: total } = details.targets
  const isUnread = areUnread(details.targets)
  // From here on the selection is what the command acts on, so that what failed can stay selected.
  if (search && entity && !isUnread) freezeSelection(entity, search, details.targets)
  const targets = isUnread ? [] : details.targets
  const job: Job | undefined =
    changesTargets(command) && entity && total > 0
      ? beginJob({ ...start, targets, total, command: id, title, entity, again, inverse: undo })
      : undefined
  let found: readonly AnyItem[] | undefined
  const devicesOf = async (remote: string): Promise<readonly string[]> => {
    const devices = await findDevices(remote, search)
    found = devices.items
    if (job) job.detail.targets = found
    return devices.ids
  }
  const progress = command.delegates ? silentProgress() : toastProgress(command.progressTitle ?? command.title, job)
  const notifyEnded = notifyRunStarted(command, details.input, policy && laterPolicyText(policy, Date.now()))
  return {
    ...(job && { job: job.id }),
    targets: () => found,
    services: servicesFor(
      {
        call,
        progress,
        carryOut: (operation, ids) =>
          carryOut(operation, ids, {
            call,
            progress,
            policy,
            ...(isUnread && { devicesOf }),
            ...(job && {
              onEnded: (done, failed, before) => recordOutcomes(job, done, failed, before),
              onJob: (remote, inFlight, count = job.total) =>
                Object.assign(job, { remote, inFlight, ...(isUnread && { total: count }) }),
            }),
          }),
      },
      hostTargets,
    ),
    end(how) {
      progress.end()
      notifyEnded(how.is === 'done')
      if (!job) return
      endJob(job, how.is === 'done' ? how : { error: errorText(how.error) })
    },
  }
}
