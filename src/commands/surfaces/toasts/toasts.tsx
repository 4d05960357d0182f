/** Toasts at the bottom left: outcomes, blocked commands, errors. */
import toast from 'react-hot-toast/headless'
import type { Command } from '../../core/types.ts'
import type { Outcome } from '../../core/runs/outcome.ts'
import { loadAllCommands } from '../../core/registry.ts'

// The text is the toast's id, so that the same message renews its toast instead of adding another.
/** Shows why a command is blocked. */
export const toastBlocked = (reason: string): void => void toast(reason, { id: reason })
/** Shows an error; a list of messages is shown as lines. */
export const toastError = (message: string | readonly string[]): void => {
  if (typeof message === 'string') toast.error(message, { id: message })
  else
    toast.error(
      <ul className="grid max-h-40 gap-0.5 overflow-auto">
        {message.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>,
    )
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
