/** A run of what is done at once: nothing is loaded for it, so that it is over before the next key is pressed. */
import { call } from '../../../api/client.ts'
import type { Host, Run } from '../../core/execution/host.ts'
import { notifyRunStarted } from '../../core/runObserver.ts'
import type { ShownProgress } from '../toasts/progress.tsx'
import { servicesFor } from './services.ts'

export function quickRun(...[command, of, targets]: [...Parameters<Host['begin']>, Host['targets']]): Run {
  const followed = notifyRunStarted(command, of.input)
  const cancel = new AbortController()
  let shown: Promise<ShownProgress> | undefined
  const show = async (done: number, total: number) => {
    shown ??= import('../toasts/progress.tsx').then(({ toastProgress }) =>
      toastProgress(command.title, undefined, cancel),
    )
    const toast = await shown
    toast.at(done, total)
  }
  const progress = { signal: cancel.signal, at: (done: number, total: number) => void show(done, total) }
  return {
    services: servicesFor(
      {
        call,
        progress,
        inChunks: async (ids, send) => (await import('../../core/execution/chunks.ts')).inChunks(ids, progress, send),
      },
      targets,
    ),
    end(how) {
      followed(how.is === 'done')
      void shown?.then(toast => toast.end())
    },
  }
}
