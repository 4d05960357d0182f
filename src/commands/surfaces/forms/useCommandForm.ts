import { useEffect, useState, type RefObject } from 'react'
import { errorLines } from '../../../api/errors.ts'
import { useUnits } from '../../../store/preferences.ts'
import type { Command, ExecutionResult } from '../../core/types.ts'
import { controlOf, enteredValue } from '../../core/fields.ts'
import { runCommand } from '../run/run.ts'

/** The edited values, by field name. */
export type Edits = Readonly<Record<string, unknown>>

/** The state of a form's submission. */
interface Submission {
  readonly running: boolean
  /** Messages by field name; the empty name holds those of the whole form. */
  readonly errors: Readonly<Record<string, string>>
  /** The error of the last submission. */
  readonly failure: string | readonly string[] | undefined
  /** The number of submissions with invalid values; each one focuses the first invalid field. */
  readonly invalidCount: number
}
const initial: Submission = { running: false, errors: {}, failure: undefined, invalidCount: 0 }

/** Returns the submission's state after its command has run. */
function afterRun(submission: Submission, result: ExecutionResult): Submission {
  const next = { ...submission, running: false }
  if (result.is === 'invalid') return { ...next, errors: result.fields, invalidCount: submission.invalidCount + 1 }
  if (result.is === 'failed') return { ...next, failure: errorLines(result.error) }
  return next
}

/** Returns the state and actions of a command's form. Edits stay until the command succeeds. */
export function useCommandForm(
  form: RefObject<HTMLFormElement | null>,
  command: Command,
  values: Edits,
  edits: Edits,
  setEdits: (edits: Edits) => void,
) {
  const units = useUnits()
  const [submission, setSubmission] = useState(initial)
  const { running, invalidCount } = submission
  useEffect(() => {
    if (invalidCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form, invalidCount])

  // Unedited optional fields are left out of the input; unedited required fields are sent with their initial value.
  const input = Object.fromEntries(
    command.fields
      .map(field => {
        const control = controlOf(field)
        if (field.name in edits) return [field.name, enteredValue(control, edits[field.name], units)] as const
        return [field.name, field.optional ? undefined : enteredValue(control, values[field.name], units)] as const
      })
      .filter(([, value]) => value !== undefined),
  )
  return {
    ...submission,
    isDirty: Object.keys(edits).length > 0,
    edit(name: string, value: unknown) {
      setEdits({ ...edits, [name]: value })
      setSubmission(({ errors: { [name]: _, '': __, ...errors }, ...rest }) => ({ ...rest, errors }))
    },
    reset() {
      setEdits({})
      setSubmission(previous => ({ ...previous, errors: {}, failure: undefined }))
    },
    async submit() {
      if (running) return
      setSubmission(previous => ({ ...previous, running: true, failure: undefined }))
      const result = await runCommand(command, { input })
      setSubmission(previous => afterRun(previous, result))
      if (result.is === 'done') setEdits({})
    },
  }
}
