/** What is shown while something takes its time. */
import toast from 'react-hot-toast/headless'
import { proxy } from 'valtio'
import type { Progress } from '../../../api/readMatches.ts'
import type { Job } from '../../core/runs/jobs.ts'
import { loadAllCommands } from '../../commands.ts'
import { registerTask } from '../../core/runs/activeTasks.ts'

/** Milliseconds before progress shows at all: what is quick needs none. */
const showAfter = 400

export interface ShownProgress extends Progress {
  /** So many more of the calls that go on, which their answers will count. */
  meanwhile(ended: number): void
  end(): void
}

/** Of what only gives another command, which shows its own. */
export const silentProgress = (): ShownProgress => ({
  signal: new AbortController().signal,
  at: () => undefined,
  meanwhile: () => undefined,
  end: () => undefined,
})

/** Progress that appears when something takes its time, can be cancelled, and is gone at its `end`. */
export function toastProgress(
  title: string,
  job?: Job,
  cancel = job?.detail.cancel ?? new AbortController(),
): ShownProgress {
  const far = proxy({ done: 0, total: 0 })
  // What is over at once cannot be cancelled, and nobody need hear of it.
  let over = (): void => undefined
  let at = 0
  let shown: string | undefined
  let ended = false
  const show = () =>
    loadAllCommands()
      .then(() => import('./ProgressToast.tsx'))
      .then(
        ({ FarToast, JobToast }) => {
          if (ended) return
          shown = toast.loading(
            job ? (
              <JobToast title={title} job={job} />
            ) : (
              <FarToast title={title} far={far} onCancel={() => cancel.abort()} />
            ),
            // It says by itself, and seldom, how far it is.
            { ariaProps: { role: 'status', 'aria-live': 'off' } },
          )
        },
        // Where that cannot be loaded, what it would have shown goes on without it.
        () => undefined,
      )
  const waiting = setTimeout(() => {
    if (!job) over = registerTask({ title, cancel })
    void show()
  }, showAfter)
  return {
    signal: cancel.signal,
    at(done, total) {
      at = done
      Object.assign(far, { done, total })
    },
    meanwhile(more) {
      far.done = at + more
    },
    end() {
      ended = true
      over()
      clearTimeout(waiting)
      if (shown) toast.dismiss(shown)
    },
  }
}
