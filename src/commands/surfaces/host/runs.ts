/** A run, from its first call to its end: its job, its progress, and the calls it makes. Loaded when first needed. */
import { call } from '../../../api/client.ts'
import { BulkAnswer } from '../../../api/contract/endpoint.ts'
import type { CallProgress } from '../../../api/progress.ts'
import type { AnyItem } from '../../../store/selection.ts'
import { inChunks } from '../../core/execution/chunks.ts'
import { changesTargets, errorMessages } from '../../core/execution/execute.ts'
import type { Host } from '../../core/execution/host.ts'
import { notifyRunStarted } from '../../core/runObserver.ts'
import { beginJob, endJob, recordOutcomes } from '../../core/runs/jobRuns.ts'
import { noneEnded, type Job } from '../../core/runs/jobs.ts'
import { servicesFor } from './services.ts'
import { silentProgress, toastProgress, type ShownProgress } from '../toasts/progress.tsx'
import { runCommand } from '../run/run.ts'

export function beginRun(
  ...[command, of, targets]: [...Parameters<Host['begin']>, Host['targets']]
): Awaited<ReturnType<Host['begin']>> {
  const { id, title, entity, undo } = command
  const again = (items: readonly AnyItem[]) => runCommand(command, { input: of.input, targets: items })
  const job =
    changesTargets(command) && entity && of.targets.length > 0
      ? beginJob({ ...of, command: id, title, entity, again, inverse: undo })
      : undefined
  const progress = command.delegates ? silentProgress() : toastProgress(command.doing ?? command.title, job)
  const followed = notifyRunStarted(command, of.input)
  return {
    ...(job && { job: job.id }),
    services: servicesFor(
      {
        call: followedBy(progress, job),
        progress,
        inChunks: (ids, send) =>
          inChunks(ids, progress, send, (done, failed, before) => job && recordOutcomes(job, done, failed, before)),
      },
      targets,
    ),
    end(how) {
      progress.end()
      followed(how.is === 'done')
      if (!job) return
      endJob(job, how.is === 'done' ? how : { error: errorMessages(how.error).flat().join(', ') })
    },
  }
}

/** Calls on many tell how far they are while they go on; of those under way together, the sum counts. */
function followedBy(progress: ShownProgress, job: Job | undefined): typeof call {
  const underWay = new Map<object, CallProgress>()
  const tell = () => {
    const sum = [...underWay.values()].reduce(
      (all, one) => ({ done: all.done + one.done, failed: all.failed + one.failed }),
      noneEnded,
    )
    progress.meanwhile(sum.done + sum.failed)
    if (job) job.meanwhile = sum
  }
  return async (endpoint, input) => {
    if ((endpoint.answer as unknown) !== BulkAnswer) return call(endpoint, input)
    const one = {}
    try {
      return await call(endpoint, {
        ...input,
        onProgress(ids) {
          underWay.set(one, ids)
          tell()
        },
      })
    } finally {
      // From here on its answer counts.
      if (underWay.delete(one)) tell()
    }
  }
}
