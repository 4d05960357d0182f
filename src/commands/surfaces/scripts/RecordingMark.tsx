import { useEffect } from 'react'
import toast from 'react-hot-toast/headless'
import { useSnapshot } from 'valtio'
import { recording } from '../../../store/scripts/recording.ts'
import { commandOf } from '../../core/registry.ts'
import { stepTitle } from '../../scripts/steps.ts'
import { CommandKeys } from '../buttons/CommandButton.tsx'
import { run } from '../run/run.ts'

/** Shows that a script is being recorded, its last step, and which commands are left out; a click stops the recording. */
export function RecordingMark() {
  const { steps, skipped } = useSnapshot(recording)
  useEffect(() => {
    if (skipped) toast(skipped.message)
  }, [skipped])
  if (!steps) return null
  const last = steps.at(-1)
  const count = `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`
  return (
    <span className="flex items-center gap-2">
      <button
        type="button"
        data-command="scripts.record"
        title="Stop recording and save script"
        className="flex h-6 items-center gap-1.5 rounded bg-bad px-2 font-semibold text-panel"
        onClick={() => void run('scripts.record')}
      >
        <span aria-hidden="true" className="size-2 rounded-full bg-current" />
        Recording, {count}
        <span className="hidden sm:block">
          <CommandKeys command={commandOf('scripts.record')} />
        </span>
      </button>
      <span role="status" className="max-w-48 truncate max-sm:sr-only">
        {last ? `Recorded: ${stepTitle(last)}` : 'Run the first command'}
      </span>
    </span>
  )
}
