import { useRef, useState, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { scripts, type SavedScript } from '../../store/scripts/scripts.ts'
import type { IconName } from '../../domain/iconName.ts'
import { commandOf, findCommand } from '../../commands/core/registry.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { commandFrom, commandIdOf } from '../../commands/scripts/scriptCommand.ts'
import { stepTitle } from '../../commands/scripts/steps.ts'
import { CommandKeys } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { Icon } from '../../commands/surfaces/buttons/Icon.tsx'
import { run, runCommand } from '../../commands/surfaces/run/run.ts'

/** Lists the person's scripts, with buttons to record, run, edit, import, export and delete them. */
export function ScriptsScreen() {
  const { list } = useSnapshot(scripts)
  const [problems, setProblems] = useState<readonly string[]>([])
  return (
    <section aria-labelledby="scripts-title" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 id="scripts-title" tabIndex={-1} className="sr-only">
        Scripts
      </h1>
      <div className="flex min-h-[47px] flex-wrap items-center gap-2 border-b border-line bg-panel px-3 py-2">
        <p className="mr-auto px-1 text-ink3 tabular-nums">
          {list.length === 1 ? '1 script' : `${list.length} scripts`}
        </p>
        <SurfaceButtons
          on="scripts"
          overrides={{
            'scripts.record': { primary: true },
            'scripts.import': () => <ImportButton onProblems={setProblems} />,
            'scripts.export': { input: {}, label: 'Export all' },
          }}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-auto p-4">
        <div className="mx-auto grid max-w-[860px] gap-4">
          <p className="text-ink2">Record commands once and run them as one, from the palette or a shortcut.</p>
          {problems.length > 0 && (
            <div role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-[12px] text-bad">
              <p className="font-medium">Nothing was imported.</p>
              <ul
                tabIndex={0}
                data-scrolls
                aria-label="Errors in the file"
                className="mt-1 grid max-h-40 gap-0.5 overflow-auto"
              >
                {problems.map(problem => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            </div>
          )}
          {list.length === 0 ? (
            <NoScripts />
          ) : (
            <ul
              aria-label="Saved scripts"
              className="rounded-lg border border-line bg-panel"
              onKeyDown={moveBetweenRows}
            >
              {list.map(script => (
                <Row key={script.id} script={script} />
              ))}
            </ul>
          )}
        </div>
      </div>
    </section>
  )
}

function NoScripts() {
  return (
    <div className="grid gap-1 rounded-lg border border-dashed border-line p-8 text-center">
      <p className="font-medium">No saved scripts yet.</p>
      <p className="text-ink2">
        Press <CommandKeys command={commandOf('scripts.record')} /> on any screen, run some commands, and press it again
        to save them as a script.
      </p>
    </div>
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
          onClick={() => void runCommand(command)}
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
          void run('scripts.import', { input: { file }, showsInvalid: true }).then(result =>
            onProblems(result.is === 'invalid' ? (result.fields.file ?? '').split('\n') : []),
          )
        }}
      />
    </>
  )
}
