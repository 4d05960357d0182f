import { useId, useState } from 'react'
import { overlay } from '../../../store/overlays.ts'
import type { Step } from '../../../store/scripts/recording.ts'
import { draftOf, keepDraft, type ScriptDraft } from '../../../store/scripts/scriptDrafts.ts'
import { maxNameLength, type SavedScript } from '../../../store/scripts/scripts.ts'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { setSteps } from '../../scripts/recorder.ts'
import type { InputOf } from '../../core/commandId.ts'
import { commandOf } from '../../core/registry.ts'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { run } from '../run/run.ts'
import { StepList } from './StepList.tsx'

/** Edits a saved script, or the recording if `saved` is undefined. `steps` are the unedited ones. */
export function ScriptEditor({ saved, steps: initial }: { saved: SavedScript | undefined; steps: readonly Step[] }) {
  const id = useId()
  const [draft, setDraft] = useState<ScriptDraft>(
    () => draftOf(saved) ?? { name: saved?.name ?? '', goOn: saved?.go_on ?? false, steps: undefined },
  )
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const steps = draft.steps ?? initial

  const change = (changes: Partial<ScriptDraft>) => {
    const next = { ...draft, ...changes }
    keepDraft(saved, next)
    setDraft(next)
    setErrors({})
  }
  const close = () => (overlay.scripts = undefined)
  const save = async () => {
    // Cast, because the inputs of steps are not typed; saving validates them.
    const script = { name: draft.name, go_on: draft.goOn, steps } as InputOf<'scripts.save'>['script']
    const result = await run('scripts.save', { input: { script, ...(saved && { id: saved.id }) }, showsInvalid: true })
    if (result.is === 'invalid') return setErrors(result.fields)
    if (result.is === 'done') close()
  }
  const { name: nameError = draft.name.trim() === '' ? errors.script : undefined, steps: stepsError } = errors

  return (
    <Dialog
      command="scripts.edit"
      title={saved ? `Script “${saved.name}”` : 'Recorded script'}
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
          aria-invalid={nameError ? true : undefined}
          aria-describedby={nameError ? `${id}e` : undefined}
          onChange={event => change({ name: event.target.value })}
        />
        {nameError && (
          <p id={`${id}e`} role="alert" className="mt-1 text-[12px] text-bad">
            {draft.name.trim() === '' ? 'Name is required' : nameError}
          </p>
        )}
        <h3 className="mt-4 text-[12.5px] font-semibold">Steps</h3>
        {steps.length === 0 && <p className="mt-1 text-ink2">No steps yet. Run a command to record it.</p>}
        <StepList steps={steps} onChange={next => (saved ? change({ steps: next }) : setSteps(next))} />
        {(stepsError ?? errors['']) && (
          <p role="alert" className="mt-1 text-[12px] text-bad">
            {stepsError ?? errors['']}
          </p>
        )}
        <p className="mt-2 text-[12px] text-ink3">
          The script acts on what is selected when it runs, unless one of its steps changes the selection.
        </p>
        <label className="mt-3 flex items-center gap-2">
          <input type="checkbox" checked={draft.goOn} onChange={event => change({ goOn: event.target.checked })} />
          Continue after a failure
          <span className="text-[12px] text-ink3">
            Otherwise the script stops and lists the steps that did not run.
          </span>
        </label>
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          {!saved && (
            <CommandButton command={commandOf('scripts.discard')} label="Discard" className="mr-auto text-bad" />
          )}
          <CloseButton label={saved ? 'Cancel' : 'Continue recording'} />
          <button type="submit" className="btn btn-primary" data-command="scripts.save" disabled={steps.length === 0}>
            Save <Kbd caps={['↵']} />
          </button>
        </div>
      </form>
    </Dialog>
  )
}
