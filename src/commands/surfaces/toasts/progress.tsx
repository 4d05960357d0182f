/** Progress toasts of long operations. */
import toast from 'react-hot-toast/headless'
import { proxy } from 'valtio'
import type { Progress } from '../../../api/readMatches.ts'
import type { Job } from '../../core/runs/jobs.ts'
import { loadAllCommands } from '../../core/registry.ts'
import { registerTask } from '../../core/runs/activeTasks.ts'
import { toastDelay } from './toasts.tsx'

export interface ShownProgress extends Progress {
  /** Hides the toast. */
  end(): void
}

/** Returns progress that is never shown, for commands that only run other commands, which show their own. */
export const silentProgress = (): ShownProgress => ({
  signal: new AbortController().signal,
  report: () => undefined,
  end: () => undefined,
})

/** Returns progress that is shown as a toast after a moment, until its `end`. The toast can cancel the operation. */
export function toastProgress(
  title: string,
  job?: Job,
  cancel = job?.detail.cancel ?? new AbortController(),
): ShownProgress {
  const progress = proxy({ title, done: 0, total: 0 })
  let unregister = (): void => undefined
  let toastId: string | undefined
  let isEnded = false
  const show = () =>
    loadAllCommands()
      .then(() => import('./ProgressToast.tsx'))
      .then(
        ({ TaskToast, JobToast }) => {
          if (isEnded) return
          toastId = toast.loading(
            job ? (
              <JobToast title={title} job={job} />
            ) : (
              <TaskToast progress={progress} onCancel={() => cancel.abort()} />
            ),
            // The toast announces its progress itself, less often.
            { ariaProps: { role: 'status', 'aria-live': 'off' } },
          )
        },
        // If the toast cannot be loaded, the operation continues without it.
        () => undefined,
      )
  const timer = setTimeout(() => {
    // Registered only now: quick operations cannot be cancelled.
    if (!job) unregister = registerTask({ title, cancel })
    void show()
  }, toastDelay)
  return {
    signal: cancel.signal,
    report(done, total, now = title) {
      Object.assign(progress, { done, total, title: now })
    },
    end() {
      isEnded = true
      unregister()
      clearTimeout(timer)
      if (toastId) toast.dismiss(toastId)
    },
  }
}
