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

/** The number of open prompts of commands. */
let prompting = 0
let afterPrompts: (() => void)[] = []

/**
 * Acts at once, or as soon as no command prompts: what a prompt shows must not change before it is answered, such as the
 * selection that a preview is about.
 */
export function whenNothingPrompts(act: () => void): void {
  if (prompting === 0) act()
  else afterPrompts.push(act)
}

/** Counts a prompt as open until it is answered. */
export async function whilePrompting<Answer>(answer: Promise<Answer>): Promise<Answer> {
  prompting++
  try {
    return await answer
  } finally {
    if (--prompting === 0) {
      const acts = afterPrompts
      afterPrompts = []
      for (const act of acts) act()
    }
  }
}

/** Does not count a pending command while it prompts, because keys then belong to the prompt. */
export async function suspendWhilePrompting<Answer>(answer: Promise<Answer>): Promise<Answer> {
  pendingCommands.count--
  try {
    return await whilePrompting(answer)
  } finally {
    pendingCommands.count++
  }
}
