/** What is said at the bottom left: outcomes, refusals, errors, progress. */
import toast from 'react-hot-toast/headless'
import type { Command } from '../../core/types.ts'
import type { Outcome } from '../../core/runs/outcome.ts'
import { loadAllCommands } from '../../core/registry.ts'

// The same words again renew the toast that says them.
export const toastBlocked = (reason: string): void => void toast(reason, { id: reason })
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

/** `job` is the id of the run, where more can be done about it: that of its job where it was one. */
export function toastOutcome(command: Command, message: string, outcome: Outcome | undefined, job?: string): void {
  const partly = outcome && outcome.failed.length > 0 ? outcome : undefined
  if (!partly && job === undefined) {
    toast.success(message)
    return
  }
  // More than a few words is loaded when it is idle; until then, and where it cannot be, the words alone are said.
  const id = `outcome:${job ?? command.id}`
  loadAllCommands()
    .then(() => import('./OutcomeToast.tsx'))
    .then(
      ({ showOutcome }) => showOutcome({ id, message, outcome: partly, job }),
      () => (partly ? toast.error(message, { id }) : toast.success(message, { id })),
    )
}
