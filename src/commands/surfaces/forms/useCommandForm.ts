import { useEffect, useState, type RefObject } from 'react'
import { useUnits } from '../../../store/preferences.ts'
import type { Command, ExecutionResult } from '../../core/types.ts'
import { errorMessages } from '../../core/execution/execute.ts'
import { controlOf, enteredValue } from '../../core/fields.ts'
import { runCommand } from '../run/run.ts'

/** What was typed, by field. */
export type Edits = Readonly<Record<string, unknown>>

/** How far a form is with being sent, and what came of the last try. */
interface Submission {
  readonly running: boolean
  /** What is wrong, by field; the empty name stands for all of them together. */
  readonly errors: Readonly<Record<string, string>>
  readonly failure: string | readonly string[] | undefined
  /** How often it was refused: each time, and only then, focus goes to the first field that is wrong. */
  readonly refusals: number
}
const untried: Submission = { running: false, errors: {}, failure: undefined, refusals: 0 }

/** Returns a submission as a run of its command has left it. */
function afterRun(before: Submission, ending: ExecutionResult): Submission {
  const next = { ...before, running: false }
  if (ending.is === 'invalid') return { ...next, errors: ending.fields, refusals: before.refusals + 1 }
  if (ending.is === 'failed') return { ...next, failure: errorMessages(ending.error).at(-1) }
  return next
}

/** A command's form: what was typed stays until it has been done. Where nothing was typed, a field holds `values`. */
export function useCommandForm(
  form: RefObject<HTMLFormElement | null>,
  command: Command,
  values: Edits,
  edits: Edits,
  setEdits: (edits: Edits) => void,
) {
  const units = useUnits()
  const [submission, setSubmission] = useState(untried)
  const { running, refusals } = submission
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form, refusals])

  // Only what was changed is sent where the command takes a part of its fields; the rest goes as it is shown.
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
    changed: Object.keys(edits).length > 0,
    edit(name: string, value: unknown) {
      setEdits({ ...edits, [name]: value })
      setSubmission(({ errors: { [name]: _, '': __, ...errors }, ...of }) => ({ ...of, errors }))
    },
    startOver() {
      setEdits({})
      setSubmission(before => ({ ...before, errors: {}, failure: undefined }))
    },
    async submit() {
      if (running) return
      setSubmission(before => ({ ...before, running: true, failure: undefined }))
      const ending = await runCommand(command, { input })
      setSubmission(before => afterRun(before, ending))
      if (ending.is === 'done') setEdits({})
    },
  }
}
