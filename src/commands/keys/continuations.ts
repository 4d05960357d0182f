/** What may follow the keys of a sequence that has begun. */
import type { Command } from '../core/types.ts'
import { type Context } from '../core/context.ts'
import { isBoundIn, keysOf, resolveBinding } from './bindings.ts'

export interface Continuation {
  /** The keys that are left to press. */
  readonly keys: string
  readonly command: Command
}

/** Returns the commands that `sequence` goes on to here, each at its shortest. */
export function continuations(
  sequence: string,
  commands: readonly Command[],
  context: Context,
): readonly Continuation[] {
  const begun = commands.filter(isBoundIn(context)).flatMap(command => {
    const keys = keysOf(command).find(one => one.startsWith(`${sequence} `))
    return keys === undefined ? [] : [{ keys: keys.slice(sequence.length + 1), command }]
  })
  const rests = new Set(begun.map(({ keys }) => keys))
  return [...rests].flatMap(keys => {
    const command = resolveBinding(begun.filter(one => one.keys === keys).map(one => one.command))
    return command ? [{ keys, command }] : []
  })
}
