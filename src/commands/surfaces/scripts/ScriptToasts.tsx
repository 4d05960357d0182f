import type { Script } from '../../../store/scripts/scripts.ts'
import type { CommandId } from '../../core/commandId.ts'
import { commandOf } from '../../core/registry.ts'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { useAvailability } from '../run/commandHooks.ts'

/** Shows the step of a running script, and a button that stops it. */
export function ScriptProgress({ script, index, title }: { script: Script; index: number; title: string }) {
  return (
    <div className="flex items-center gap-2">
      <span className="min-w-0 flex-1">
        “{script.name}”{' '}
        <span className="numeric text-ink2">
          step {index + 1} of {script.steps.length}
        </span>
        : {title}
      </span>
      <CommandButton command={commandOf('scripts.stop')} label="Stop" />
    </div>
  )
}

/** Shows why a script stopped, or that steps failed, with buttons to view failures, retry and continue. */
export function ScriptStopped({ message, onChosen }: { message: string; onChosen: () => void }) {
  return (
    <div className="grid gap-2">
      <span>{message}</span>
      <div className="flex flex-wrap justify-end gap-2">
        <ReadyButton id="run.failures" label="View failures" onRun={onChosen} />
        <ReadyButton id="run.retry" onRun={onChosen} />
        <ReadyButton id="scripts.goOn" label="Resume" onRun={onChosen} />
      </div>
    </div>
  )
}

/** A command's button, shown only while the command is available. */
function ReadyButton({ id, label, onRun }: { id: CommandId; label?: string; onRun: () => void }) {
  const command = commandOf(id)
  const { is } = useAvailability(command)
  return is === 'ready' ? <CommandButton command={command} {...(label && { label })} onRun={onRun} /> : null
}
