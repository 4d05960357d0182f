/** Commands that have been given, and neither ask nor run yet. Keys pressed meanwhile are for what comes of them. */
import { proxy } from 'valtio'

export const onTheWay = proxy({ commands: 0 })

/** A command sets out; returns what to call once it runs, or never will. Calling that again does nothing. */
export function setOut(): () => void {
  let arrived = false
  onTheWay.commands++
  return () => {
    if (!arrived) onTheWay.commands--
    arrived = true
  }
}

/** Of a command that has set out: while a person is asked, their keys are the answer. */
export async function whileAsked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  onTheWay.commands--
  try {
    return await answer
  } finally {
    onTheWay.commands++
  }
}
