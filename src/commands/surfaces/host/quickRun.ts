/** A run of what is done at once: nothing is loaded for it, so that it is over before the next key is pressed. */
import { call } from '../../../api/client.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import type { Host, Run } from '../../core/execution/host.ts'
import { notifyRunStarted } from '../../core/runObserver.ts'
import { findCommand } from '../../core/registry.ts'
import { runCommand } from '../run/run.ts'
import type { ShownProgress } from '../toasts/progress.tsx'
import { startScript, type RunEnvironment } from './environment.ts'

export function quickRun(...[command, of, around]: [...Parameters<Host['begin']>, RunEnvironment]): Run {
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
    services: {
      call,
      progress,
      go: around.go,
      inChunks: async (ids, send) => (await import('../../core/execution/chunks.ts')).inChunks(ids, progress, send),
      save: (name, file) => saveFile(name, file, file.type),
      script: started => startScript(started, around),
      async again(other, input, targets) {
        const given = typeof other === 'string' ? findCommand(other) : other
        return given ? runCommand(given, { input, ...(targets && { targets }) }) : { is: 'stopped' }
      },
    },
    end(how) {
      followed(how.is === 'done')
      void shown?.then(toast => toast.end())
    },
  }
}
