import { useEffect, useState, type RefObject } from 'react'
import { errorLines } from '../../../api/errors.ts'
import { messages } from '../../../domain/messages.ts'
import { useUnits } from '../../../store/preferences.ts'
import type { ExecuteOptions } from '../../core/execution/execute.ts'
import type { Command, ExecutionResult } from '../../core/types.ts'
import { runCommand } from '../run/run.ts'
import { changedFiles } from './changedFiles.ts'
import { changedFields, formInput, withoutSubmitted, type ChangeEdits, type Edits } from './formInput.ts'

/** What a form's command acts on, if not on the selection. */
export type SubmitOptions = Pick<ExecuteOptions, 'targets' | 'source' | 'keepsSelection'>

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

/** Returns the state and actions of a command's form. Edits stay until the command succeeds; those made meanwhile stay. */
export function useCommandForm(
  form: RefObject<HTMLFormElement | null>,
  command: Command,
  values: Edits,
  edits: Edits,
  changeEdits: ChangeEdits,
) {
  const units = useUnits()
  const [submission, setSubmission] = useState(initial)
  const { running, invalidCount } = submission
  useEffect(() => {
    if (invalidCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form, invalidCount])

  // A form that creates something shows suggestions, which may be saved as they are.
  const showsStored = command.group !== 'create' && command.fields.some(({ name }) => values[name] !== undefined)
  return {
    ...submission,
    isDirty: Object.keys(edits).length > 0,
    edit(name: string, value: unknown) {
      changeEdits(current => ({ ...current, [name]: value }))
      setSubmission(({ errors: { [name]: _, '': __, ...errors }, ...rest }) => ({ ...rest, errors }))
    },
    reset() {
      changeEdits(() => ({}))
      setSubmission(previous => ({ ...previous, errors: {}, failure: undefined }))
    },
    /** Runs the command, on the given targets or on the current selection. */
    async submit(options: SubmitOptions = {}): Promise<ExecutionResult> {
      if (running) return { is: 'stopped' }
      if (showsStored && changedFields(command, values, edits, units).length === 0) {
        setSubmission(previous => ({ ...previous, errors: { '': messages.nothingToSave }, failure: undefined }))
        return { is: 'stopped' }
      }
      setSubmission(previous => ({ ...previous, running: true, failure: undefined }))
      const input = formInput(command, values, edits, units)
      const changed = await changedFiles(command, input)
      const result: ExecutionResult = changed
        ? { is: 'invalid', fields: changed }
        : await runCommand(command, { ...options, input, showsInvalid: true })
      setSubmission(previous => afterRun(previous, result))
      if (result.is === 'done') changeEdits(current => withoutSubmitted(current, edits))
      return result
    },
  }
}
