import { useId, useRef, useState } from 'react'
import type { Command } from '../../core/types.ts'
import { isApple } from '../../../store/platform.ts'
import { keycaps } from '../../keys/keymap.ts'
import { Kbd } from '../../../ui/Kbd.tsx'
import { moveFocusToHeading } from '../../../ui/focus/moveFocusToHeading.ts'
import { isRequired, type ChangeEdits, type Edits } from './formInput.ts'
import { useFormGroup } from './FormGroup.tsx'
import { useCommandForm } from './useCommandForm.ts'
import { useRestoredFocus } from './useRestoredFocus.ts'
import { useAvailability, usePreview } from '../run/commandHooks.ts'
import { CommandKeys } from '../buttons/CommandButton.tsx'
import { FormField } from './FormField.tsx'

interface Props {
  command: Command
  /** The label of the submit button, such as `Apply to 12 devices`. */
  action: string
  /** The initial values of the fields, by name. */
  values?: Readonly<Record<string, unknown>> | undefined
  /** The heading level of the title; h3 below a panel's h2. */
  heading?: 'h2' | 'h3'
  /** Names of optional fields that are left out, because they cannot apply. */
  without?: readonly string[]
  /** Controlled edits, for a parent that keeps them after the form unmounts. */
  edits?: Edits
  onEdits?: ChangeEdits
}

/**
 * Renders a command's arguments as a form. Edits stay until the command succeeds; unedited fields show `values`. Error
 * messages come from the schema.
 */
export function CommandForm(props: Props) {
  const { command, action, values = {}, heading: Heading = 'h3', without = [] } = props
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const availability = useAvailability(command)
  const preview = usePreview(command)
  const [localEdits, setLocalEdits] = useState<Edits>({})
  const { edits = localEdits, onEdits = setLocalEdits } = props
  const { running, errors, failure, isDirty, edit, reset, submit } = useCommandForm(
    form,
    command,
    values,
    edits,
    onEdits,
  )
  useRestoredFocus(command.id, form)
  const isGrouped = useFormGroup(command, submit)
  if (availability.is === 'hidden') return null
  const reason = availability.is === 'blocked' ? availability.reason : undefined

  return (
    <form
      ref={form}
      data-command={command.id}
      aria-labelledby={`${id}t`}
      noValidate
      className="grid gap-2 border-b border-line px-4 py-3.5"
      onSubmit={event => {
        event.preventDefault()
        void submit()
      }}
      // In the capture phase: the focused control may handle Enter itself.
      onKeyDownCapture={event => {
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
        event.preventDefault()
        event.stopPropagation()
        void submit()
      }}
      onKeyDown={event => {
        // The first Esc resets the edits, the next one leaves the field.
        if (event.key === 'Escape' && !event.nativeEvent.isComposing && event.target instanceof HTMLElement) {
          event.stopPropagation()
          if (isDirty) reset()
          else moveFocusToHeading(event.target)
        }
      }}
    >
      <Heading id={`${id}t`} className="mb-0.5 flex items-center gap-2 text-[12.5px] font-semibold">
        {command.title}
        <span className="ml-auto">
          <CommandKeys command={command} />
        </span>
      </Heading>
      {command.fields
        .filter(({ name }) => !without.includes(name))
        .map(field => (
          <FormField
            key={field.name}
            command={command.id}
            field={field}
            value={field.name in edits ? edits[field.name] : values[field.name]}
            required={isRequired(field, values[field.name])}
            showsOptional={command.group === 'create'}
            clearable={field.optional && values[field.name] === undefined}
            error={errors[field.name]}
            onChange={value => edit(field.name, value)}
          />
        ))}
      {(reason ?? errors['']) && (
        <p role={errors[''] ? 'alert' : undefined} className={`text-[12px] ${errors[''] ? 'text-bad' : 'text-ink3'}`}>
          {errors[''] ?? reason}
        </p>
      )}
      {failure !== undefined && <FailureNote failure={failure} />}
      {isGrouped ? (
        preview && <p className="text-[12px] text-ink3">{preview}</p>
      ) : (
        <div className="mt-1 flex flex-wrap items-center gap-2">
          <button type="submit" className="btn btn-primary" disabled={reason !== undefined} aria-disabled={running}>
            {running ? `${command.progressTitle ?? 'Working'}…` : action}
            <span className="hidden sm:block">
              <Kbd caps={keycaps('mod+Enter', isApple())} />
            </span>
          </button>
          {isDirty && (
            <button type="button" data-command={command.id} className="btn" onClick={reset}>
              Reset
            </button>
          )}
          {preview && <span className="text-[12px] text-ink3">{preview}</span>}
        </div>
      )}
    </form>
  )
}

/** Shows why the last submission failed, until the next one: a toast closes before a list of rows can be read. */
function FailureNote({ failure }: { failure: string | readonly string[] }) {
  const lines = typeof failure === 'string' ? [failure] : failure
  return (
    <ul
      role="alert"
      tabIndex={0}
      data-scrolls
      aria-label="Errors"
      className="grid max-h-52 gap-0.5 overflow-auto rounded-md bg-bad-soft px-2.5 py-2 text-[12px] text-bad"
    >
      {lines.map((line, index) => (
        <li key={index}>{line}</li>
      ))}
    </ul>
  )
}
