/** Finds the commands that a started key sequence can still lead to. */
import type { Command } from '../core/types.ts'
import { type Context } from '../core/context.ts'
import { isBoundIn, keysOf, resolveBinding } from './bindings.ts'

export interface Continuation {
  /** The remaining keys of the sequence. */
  readonly keys: string
  readonly command: Command
}

/** Returns the commands whose keys start with `sequence` in a context, one for each remainder. */
export function continuations(
  sequence: string,
  commands: readonly Command[],
  context: Context,
): readonly Continuation[] {
  const started = commands.filter(isBoundIn(context)).flatMap(command => {
    const keys = keysOf(command).find(one => one.startsWith(`${sequence} `))
    return keys === undefined ? [] : [{ keys: keys.slice(sequence.length + 1), command }]
  })
  const remainders = new Set(started.map(({ keys }) => keys))
  return [...remainders].flatMap(keys => {
    const command = resolveBinding(started.filter(one => one.keys === keys).map(one => one.command))
    return command ? [{ keys, command }] : []
  })
}
