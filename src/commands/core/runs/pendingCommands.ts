/** Commands that have been given, and neither ask nor run yet. Keys pressed meanwhile are for what comes of them. */
import { proxy } from 'valtio'

export const pendingCommands = proxy({ count: 0 })

/** A command sets out; returns what to call once it runs, or never will. Calling that again does nothing. */
export function beginPending(): () => void {
  let arrived = false
  pendingCommands.count++
  return () => {
    if (!arrived) pendingCommands.count--
    arrived = true
  }
}

/** Of a command that has set out: while a person is asked, their keys are the answer. */
export async function suspendWhilePrompting<Answer>(answer: Promise<Answer>): Promise<Answer> {
  pendingCommands.count--
  try {
    return await answer
  } finally {
    pendingCommands.count++
  }
}
