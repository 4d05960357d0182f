import { useEffect, useState } from 'react'
import type { Command } from '../../commands/core/types.ts'
import { inputText, namedWords, type Words } from '../../commands/jobs/inputText.ts'

/** Returns a command's input as text, with names in place of ids once they have been read. */
export function useInputText(command: Command | undefined, input: unknown): readonly Words[] {
  const [named, setNamed] = useState<readonly Words[]>()
  useEffect(() => {
    if (!command) return undefined
    const controller = new AbortController()
    namedWords(command, input, controller.signal).then(
      words => !controller.signal.aborted && setNamed(words),
      // If reading fails, the ids stay.
      () => undefined,
    )
    return () => controller.abort()
  }, [command, input])
  return named ?? (command ? inputText(command, input) : [])
}
