import { useEffect, useState } from 'react'
import type { Command } from '../../commands/core/types.ts'
import { inputText, namedWords, type Words } from '../../commands/jobs/inputText.ts'

/** What a command was given; things that go by an id by their names, once those are known. */
export function useInputWords(command: Command | undefined, input: unknown): readonly Words[] {
  const [named, setNamed] = useState<readonly Words[]>()
  useEffect(() => {
    if (!command) return undefined
    const left = new AbortController()
    namedWords(command, input, left.signal).then(
      words => !left.signal.aborted && setNamed(words),
      // Then they stay ids.
      () => undefined,
    )
    return () => left.abort()
  }, [command, input])
  return named ?? (command ? inputText(command, input) : [])
}
