/** Toasts at the bottom left: outcomes, blocked commands, errors. */
import toast from 'react-hot-toast/headless'
import { errorLines } from '../../../api/errors.ts'
import type { Command } from '../../core/types.ts'
import type { Outcome } from '../../core/runs/outcome.ts'
import { loadAllCommands } from '../../core/registry.ts'

// The text is the toast's id, so that the same message renews its toast instead of adding another.
/** Shows why a command is blocked. */
export const toastBlocked = (reason: string): void => void toast(reason, { id: reason })

/** Milliseconds before a toast appears that says what is still going on, so that what is quick shows none. */
export const toastDelay = 400
/** Shows a text after a moment, until the returned function is called. */
export function toastWaiting(text: string): () => void {
  const timer = setTimeout(() => toast.loading(text, { id: text }), toastDelay)
  return () => {
    clearTimeout(timer)
    toast.dismiss(text)
  }
}

export const toastError = (message: string): void => void toast.error(message, { id: message })

/** The maximum number of messages of a list that a toast shows. */
const maxLines = 3

/** Shows an error. A list of messages is shown joined, then as lines (specification, section 8), if it is long its start. */
export function toastFailure(error: unknown): void {
  const messages = errorLines(error)
  if (typeof messages === 'string') return toastError(messages)
  const lines = shortened(messages)
  const joined = lines.join(', ')
  toastError(joined)
  toast.error(
    <ul className="grid max-h-40 gap-0.5 overflow-auto">
      {lines.map((line, index) => (
        <li key={index}>{line}</li>
      ))}
    </ul>,
    { id: `list:${joined}` },
  )
}

function shortened(messages: readonly string[]): readonly string[] {
  if (messages.length <= maxLines) return messages
  // The server lists a hundred messages at most, and then says how many more there are.
  const unlisted = /^and (\d+) more$/.exec(messages.at(-1)!)?.[1] ?? 1
  return [...messages.slice(0, maxLines), `and ${messages.length - maxLines - 1 + Number(unlisted)} more`]
}

/**
 * Shows the outcome of a command. `job` is the id of the run or its job, if the run can be undone or retried. Partial
 * failures are shown with their reasons.
 */
export function toastOutcome(command: Command, message: string, outcome: Outcome | undefined, job?: string): void {
  const partial = outcome && outcome.failed.length > 0 ? outcome : undefined
  if (!partial && job === undefined) {
    toast.success(message)
    return
  }
  // Shows only the message if the toast with buttons cannot be loaded.
  const id = `outcome:${job ?? command.id}`
  loadAllCommands()
    .then(() => import('./OutcomeToast.tsx'))
    .then(
      ({ showOutcome }) => showOutcome({ id, message, outcome: partial, job }),
      () => (partial ? toast.error(message, { id }) : toast.success(message, { id })),
    )
}
