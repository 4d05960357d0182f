import { useRef, useState, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { overlay } from '../../../store/overlays.ts'
import { scripts, type SavedScript } from '../../../store/scripts.ts'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import type { IconName } from '../../core/iconName.ts'
import { findCommand } from '../../core/registry.ts'
import { SurfaceButtons } from '../buttons/SurfaceButtons.tsx'
import { commandFrom, commandIdOf } from '../../scripts/scriptCommand.ts'
import { stepTitle } from '../../scripts/steps.ts'
import { CommandKeys } from '../buttons/CommandButton.tsx'
import { Icon } from '../buttons/Icon.tsx'
import { run, runCommand } from '../run/run.ts'

const close = () => (overlay.scripts = undefined)

/** Lists the person's scripts, with buttons to record, run, edit, import, export and delete them. */
export function ScriptList() {
  const { list } = useSnapshot(scripts)
  const [problems, setProblems] = useState<readonly string[]>([])
  return (
    <Dialog command="scripts.open" title="Scripts" className="w-[640px] p-5" onClose={close}>
      <p className="mt-1 text-ink2">
        A script is a recorded sequence of commands that runs as one command. Run it from the palette, or by keys that
        you assign in Settings.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <SurfaceButtons
          on="scripts"
          overrides={{
            'scripts.record': { primary: true, onRun: close },
            'scripts.import': () => <ImportButton onProblems={setProblems} />,
            'scripts.export': { input: {}, label: 'Export all' },
          }}
        />
      </div>
      {problems.length > 0 && (
        <div role="alert" className="mt-3 rounded-md bg-bad-soft px-3 py-2 text-[12px] text-bad">
          <p className="font-medium">Nothing was imported.</p>
          <ul tabIndex={0} aria-label="Errors in the file" className="mt-1 grid max-h-40 gap-0.5 overflow-auto">
            {problems.map(problem => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      {list.length === 0 ? (
        <p className="mt-4 rounded-lg border border-dashed border-line p-6 text-center text-ink2">
          No saved scripts yet.
        </p>
      ) : (
        <ul
          aria-label="Saved scripts"
          className="mt-3 max-h-[50vh] overflow-auto rounded-lg border border-line"
          onKeyDown={moveBetweenRows}
        >
          {list.map(script => (
            <Row key={script.id} script={script} />
          ))}
        </ul>
      )}
      <div className="mt-4 flex justify-end">
        <CloseButton />
      </div>
    </Dialog>
  )
}

/** Moves the focus to the same button of the next or previous row by arrow keys. */
function moveBetweenRows(event: KeyboardEvent<HTMLUListElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined || !(event.target instanceof HTMLElement)) return
  event.preventDefault()
  const row = event.target.closest('li')
  const index = [...(row?.querySelectorAll('button') ?? [])].indexOf(event.target as HTMLButtonElement)
  const next = by > 0 ? row?.nextElementSibling : row?.previousElementSibling
  next?.querySelectorAll('button')[Math.max(0, index)]?.focus()
}

function Row({ script }: { script: SavedScript }) {
  const { id, name, steps } = script
  const command = findCommand(commandIdOf(script)) ?? commandFrom(script)
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1.5 last:border-0">
      <span className="min-w-0 flex-1 basis-52">
        <span className="flex items-center gap-2 font-medium">
          <span className="truncate">{name}</span> <CommandKeys command={command} />
        </span>
        <span className="block truncate text-[12px] text-ink2">{steps.map(stepTitle).join(', ')}</span>
      </span>
      <span className="flex items-center">
        <button
          type="button"
          className="btn mr-1"
          data-command={command.id}
          aria-label={`Run ${name}`}
          onClick={() => {
            close()
            void runCommand(command)
          }}
        >
          Run
        </button>
        <ActionButton icon="edit" label={`Edit ${name}`} id="scripts.edit" script={id} />
        <ActionButton icon="keyboard" label={`Change the keys of ${name}`} id="keys.change" command={command.id} />
        <ActionButton icon="download" label={`Export ${name}`} id="scripts.export" script={id} />
        <ActionButton icon="trash" label={`Delete ${name}`} id="scripts.delete" script={id} />
      </span>
    </li>
  )
}

function ActionButton(
  props: { icon: IconName; label: string } & (
    | { id: 'scripts.edit' | 'scripts.export' | 'scripts.delete'; script: string }
    | { id: 'keys.change'; command: string }
  ),
) {
  const { icon, label, id, ...input } = props
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      data-command={id}
      className="icon-btn"
      onClick={() => void run(id, { input })}
    >
      <Icon name={icon} size={14} />
    </button>
  )
}

function ImportButton({ onProblems }: { onProblems: (problems: readonly string[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" className="btn" data-command="scripts.import" onClick={() => input.current?.click()}>
        <Icon name="upload" />
        Import
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="Scripts file"
        tabIndex={-1}
        className="sr-only"
        onChange={event => {
          const [file] = event.target.files ?? []
          // Cleared so that choosing the same file again triggers a change.
          event.target.value = ''
          if (!file) return
          void run('scripts.import', { input: { file } }).then(result =>
            onProblems(result.is === 'invalid' ? (result.fields.file ?? '').split('\n') : []),
          )
        }}
      />
    </>
  )
}
