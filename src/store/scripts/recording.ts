/** The script that is being recorded. */
import { proxy } from 'valtio'
import type { Entity } from '../lists.ts'

/** A step of a script: a command, its input, and the arguments that are prompted for on each run. */
export interface Step {
  /** The command's id. */
  readonly command: string
  readonly input: Readonly<Record<string, unknown>>
  readonly ask: readonly string[]
  /** The list on which it was recorded, if its command acts on the list on screen. */
  readonly list?: Entity | undefined
  /** The policy of its job, in words: `waves 1% 10% wait 7d`. */
  readonly policy?: string | undefined
  /** Display names of values that are ids, such as a model’s. */
  readonly names?: Readonly<Record<string, string>> | undefined
}

interface Recording {
  /** Undefined while nothing is being recorded. */
  steps: readonly Step[] | undefined
  /** The last command that could not become a step, in a sentence for the person; a new object for each. */
  skipped: { readonly message: string } | undefined
}

export const recording = proxy<Recording>({ steps: undefined, skipped: undefined })
