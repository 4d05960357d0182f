import { useId, useState } from 'react'
import { overlay } from '../../../store/overlays.ts'
import type { Step } from '../../../store/recording.ts'
import { maxNameLength, type SavedScript } from '../../../store/scripts.ts'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { setSteps } from '../../scripts/record.ts'
import type { InputOf } from '../../core/commandId.ts'
import { commandOf } from '../../core/registry.ts'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { run } from '../run/run.ts'
import { StepList } from './StepList.tsx'

interface Draft {
  readonly name: string
  readonly goOn: boolean
  /** Of a saved one, as they are to be; those of the recording are the recording’s. */
  readonly steps: readonly Step[] | undefined
}
/** What was typed and not saved yet, by script: closed with Esc and opened again, it is still there. */
const drafts = new Map<string, Draft>()

/** A script to be saved: its name, its steps in their order, and what is asked for each time. */
export function ScriptEditor({ saved, steps: given }: { saved: SavedScript | undefined; steps: readonly Step[] }) {
  const id = useId()
  const kept = saved?.id ?? ''
  const [draft, setDraft] = useState<Draft>(
    () => drafts.get(kept) ?? { name: saved?.name ?? '', goOn: saved?.go_on ?? false, steps: undefined },
  )
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const steps = draft.steps ?? given

  const change = (changed: Partial<Draft>) => {
    const next = { ...draft, ...changed }
    drafts.set(kept, next)
    setDraft(next)
    setErrors({})
  }
  const close = () => (overlay.scripts = saved ? { view: 'all' } : undefined)
  const save = async () => {
    // What the steps hold is checked when the script is saved.
    const script = { name: draft.name, go_on: draft.goOn, steps } as InputOf<'scripts.save'>['script']
    const ending = await run('scripts.save', { input: { script, ...(saved && { id: saved.id }) } })
    if (ending.is === 'invalid') return setErrors(ending.fields)
    if (ending.is !== 'done') return
    drafts.delete(kept)
    close()
  }
  const { name: wrongName = draft.name.trim() === '' ? errors.script : undefined, steps: wrongSteps } = errors

  return (
    <Dialog
      command="scripts.edit"
      title={saved ? `Script “${saved.name}”` : 'The recorded script'}
      className="w-[640px] p-5"
      onClose={close}
    >
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <label htmlFor={`${id}n`} className="mt-3 block text-ink2">
          Name
        </label>
        <input
          id={`${id}n`}
          className="input mt-1 w-full"
          autoFocus
          autoComplete="off"
          maxLength={maxNameLength}
          value={draft.name}
          aria-invalid={wrongName ? true : undefined}
          aria-describedby={wrongName ? `${id}e` : undefined}
          onChange={event => change({ name: event.target.value })}
        />
        {wrongName && (
          <p id={`${id}e`} role="alert" className="mt-1 text-[12px] text-bad">
            {draft.name.trim() === '' ? 'Name is required' : wrongName}
          </p>
        )}
        <h3 className="mt-4 text-[12.5px] font-semibold">Steps</h3>
        {steps.length === 0 && <p className="mt-1 text-ink2">None: give a command, and it becomes one.</p>}
        <StepList steps={steps} onChange={next => (saved ? change({ steps: next }) : setSteps(next))} />
        {(wrongSteps ?? errors['']) && (
          <p role="alert" className="mt-1 text-[12px] text-bad">
            {wrongSteps ?? errors['']}
          </p>
        )}
        <p className="mt-2 text-[12px] text-ink3">
          It acts on what is selected when it is run, unless one of its own steps selects something else.
        </p>
        <label className="mt-3 flex items-center gap-2">
          <input type="checkbox" checked={draft.goOn} onChange={event => change({ goOn: event.target.checked })} />
          Go on after a failure
          <span className="text-[12px] text-ink3">Otherwise it stops, and says what was not run.</span>
        </label>
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          {!saved && (
            <CommandButton command={commandOf('scripts.discard')} label="Discard" className="mr-auto text-bad" />
          )}
          <CloseButton label={saved ? 'Cancel' : 'Go on recording'} />
          <button type="submit" className="btn btn-primary" data-command="scripts.save" disabled={steps.length === 0}>
            Save <Kbd caps={['↵']} />
          </button>
        </div>
      </form>
    </Dialog>
  )
}
