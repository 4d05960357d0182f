import { useId, useRef, useState } from 'react'
import type { Command } from '../../core/types.ts'
import { isApple } from '../../../store/platform.ts'
import { keycaps } from '../../keys/keymap.ts'
import { Kbd } from '../../../ui/Kbd.tsx'
import { leaveField } from '../../../ui/focus/leaveField.ts'
import { useCommandForm, type Edits } from './useCommandForm.ts'
import { useKeptFocus } from './useKeptFocus.ts'
import { useAvailability, usePreview } from '../run/live.ts'
import { CommandKeys } from '../buttons/CommandButton.tsx'
import { FormField } from './FormField.tsx'

interface Props {
  command: Command
  /** What the button says: `Apply to 12 devices`. */
  action: string
  /** What stands in the fields at first, by name. */
  values?: Readonly<Record<string, unknown>> | undefined
  /** The level of its title: the next below what it stands under, which is a panel's unless it says otherwise. */
  heading?: 'h2' | 'h3'
  /** What was typed, where it is to outlive the form; and who keeps it then. */
  edits?: Edits
  onEdits?: (edits: Edits) => void
}

/**
 * A command's arguments as a form. What was typed stays until it has been done; messages are those of the schema.
 * Where nothing has been changed, a field shows `values`.
 */
export function CommandForm(props: Props) {
  const { command, action, values = {}, heading: Heading = 'h3' } = props
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const availability = useAvailability(command)
  const preview = usePreview(command)
  const [own, setOwn] = useState<Edits>({})
  const { edits = own, onEdits: setEdits = setOwn } = props
  const { running, errors, failure, changed, edit, startOver, submit } = useCommandForm(
    form,
    command,
    values,
    edits,
    setEdits,
  )
  useKeptFocus(command.id, form)
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
      // Before the control in focus, which may have an Enter of its own.
      onKeyDownCapture={event => {
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
        event.preventDefault()
        event.stopPropagation()
        void submit()
      }}
      onKeyDown={event => {
        // Esc undoes the innermost thing: what was typed here, and then being here at all.
        if (event.key === 'Escape' && !event.nativeEvent.isComposing && event.target instanceof HTMLElement) {
          event.stopPropagation()
          if (changed) startOver()
          else leaveField(event.target)
        }
      }}
    >
      <Heading id={`${id}t`} className="mb-0.5 flex items-center gap-2 text-[12.5px] font-semibold">
        {command.title}
        <span className="ml-auto">
          <CommandKeys command={command} />
        </span>
      </Heading>
      {command.fields.map(field => (
        <FormField
          key={field.name}
          command={command.id}
          field={field}
          value={field.name in edits ? edits[field.name] : values[field.name]}
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
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <button type="submit" className="btn btn-primary" disabled={reason !== undefined} aria-disabled={running}>
          {running ? `${command.doing ?? 'Working'}…` : action}
          <span className="hidden sm:block">
            <Kbd caps={keycaps('mod+Enter', isApple())} />
          </span>
        </button>
        {changed && (
          <button type="button" data-command={command.id} className="btn" onClick={startOver}>
            Reset
          </button>
        )}
        {preview && <span className="text-[12px] text-ink3">{preview}</span>}
      </div>
    </form>
  )
}

/** Why the last try failed; it stays until the next, because a toast is gone before a list of rows can be read. */
function FailureNote({ failure }: { failure: string | readonly string[] }) {
  const lines = typeof failure === 'string' ? [failure] : failure
  return (
    <ul
      role="alert"
      tabIndex={0}
      aria-label="What is wrong"
      className="grid max-h-52 gap-0.5 overflow-auto rounded-md bg-bad-soft px-2.5 py-2 text-[12px] text-bad"
    >
      {lines.map((line, index) => (
        <li key={index}>{line}</li>
      ))}
    </ul>
  )
}
