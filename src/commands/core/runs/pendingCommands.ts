/**
 * Counts the commands that have been started, and neither prompt nor run yet. Keys pressed meanwhile are buffered for
 * their prompts.
 */
import { proxy } from 'valtio'

export const pendingCommands = proxy({ count: 0 })

/**
 * Counts a command as pending. Returns the function to call when it runs or is stopped; further calls have no effect.
 */
export function beginPending(): () => void {
  let isEnded = false
  pendingCommands.count++
  return () => {
    if (!isEnded) pendingCommands.count--
    isEnded = true
  }
}

/** Does not count a pending command while it prompts, because keys then belong to the prompt. */
export async function suspendWhilePrompting<Answer>(answer: Promise<Answer>): Promise<Answer> {
  pendingCommands.count--
  try {
    return await answer
  } finally {
    pendingCommands.count++
  }
}
