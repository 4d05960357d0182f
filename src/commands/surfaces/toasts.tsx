/** What is said at the bottom left: outcomes, refusals, errors, progress. */
import toast from 'react-hot-toast/headless'
import type { Progress } from '../../api/matching.ts'
import { commandOf } from '../registry.ts'
import type { Command, Outcome } from '../command.ts'
import { OutcomeToast, ProgressToast } from './OutcomeToast.tsx'

export const toastBlocked = (reason: string): void => void toast(reason)
export const toastError = (message: string | readonly string[]): void => {
  // The same words again renew the toast that says them.
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

export function toastOutcome(command: Command, message: string, outcome: Outcome | undefined): void {
  if (!outcome || outcome.failed.length === 0) {
    toast.success(message)
    return
  }
  const id = `outcome:${command.id}`
  toast.error(
    <OutcomeToast
      message={message}
      outcome={outcome}
      retry={commandOf('run.retry')}
      see={commandOf('run.failures')}
      onChosen={() => toast.dismiss(id)}
    />,
    { id },
  )
}

/** Milliseconds before progress shows at all: what is quick needs none. */
const showAfter = 400

export interface ShownProgress extends Progress {
  /** So many more of the call that goes on, which its answer will count. */
  meanwhile(ended: number): void
  end(): void
}

/** Progress that appears when something takes its time, can be cancelled, and is gone at its `end`. */
export function toastProgress(title: string): ShownProgress {
  const cancel = new AbortController()
  let at = 0
  let of = 0
  let more = 0
  let id: string | undefined
  const show = () => {
    id = toast.loading(
      <ProgressToast title={title} done={at + more} total={of} onCancel={() => cancel.abort()} />,
      id ? { id } : {},
    )
  }
  const waiting = setTimeout(show, showAfter)
  return {
    signal: cancel.signal,
    at(done, total) {
      at = done
      of = total
      more = 0
      if (id) show()
    },
    meanwhile(ended) {
      more = ended
      if (id) show()
    },
    end() {
      clearTimeout(waiting)
      if (id) toast.dismiss(id)
    },
  }
}
