/** Runs commands that end at once. No code is loaded for them, so that they end before the next key press. */
import { call } from '../../../api/client.ts'
import type { Host, Run } from '../../core/execution/host.ts'
import { notifyRunStarted } from '../../core/runObserver.ts'
import type { ShownProgress } from '../toasts/progress.tsx'
import { servicesFor } from './services.ts'

/** Starts a run without a job. Its progress is shown only if the command reports any. */
export function quickRun(...[command, details, targets]: [...Parameters<Host['begin']>, Host['targets']]): Run {
  const notifyEnded = notifyRunStarted(command, details.input)
  const cancel = new AbortController()
  let toastShown: Promise<ShownProgress> | undefined
  const show = async (done: number, total: number) => {
    toastShown ??= import('../toasts/progress.tsx').then(({ toastProgress }) =>
      toastProgress(command.title, undefined, cancel),
    )
    const toast = await toastShown
    toast.report(done, total)
  }
  const progress = { signal: cancel.signal, report: (done: number, total: number) => void show(done, total) }
  return {
    services: servicesFor(
      {
        call,
        progress,
        carryOut: async (operation, ids) =>
          (await import('../../core/execution/carryOut.ts')).carryOut(operation, ids, {
            call,
            progress,
            policy: details.policy,
          }),
      },
      targets,
    ),
    end(how) {
      notifyEnded(how.is === 'done')
      void toastShown?.then(toast => toast.end())
    },
  }
}
