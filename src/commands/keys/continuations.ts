/** What may follow the keys of a sequence that has begun. */
import type { Command } from '../core/types.ts'
import { inPlace, type Context } from '../core/context.ts'
import { keysOf } from './bindings.ts'

export interface Continuation {
  /** The keys that are left to press. */
  readonly keys: string
  readonly command: Command
}

/**
 * The commands that `sequence` goes on to here, each at its shortest. What keys mean on this screen comes before what
 * they mean everywhere, as when they are pressed.
 */
export function continuations(
  sequence: string,
  commands: readonly Command[],
  context: Context,
): readonly Continuation[] {
  const found = new Map<string, Command>()
  for (const command of commands) {
    const keys = keysOf(command).find(one => one.startsWith(`${sequence} `))
    if (!keys || !inPlace(command, context) || command.availability(context).is === 'hidden') continue
    const rest = keys.slice(sequence.length + 1)
    if (!found.has(rest) || (command.place !== undefined && found.get(rest)?.place === undefined))
      found.set(rest, command)
  }
  return [...found].map(([keys, command]) => ({ keys, command }))
}
