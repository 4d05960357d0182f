/** The sequence of commands that is being recorded. */
import { proxy } from 'valtio'

/** A command as it is given again: with what, and which of its arguments are asked for each time. */
export interface Step {
  /** The command's id. */
  readonly command: string
  readonly input: Readonly<Record<string, unknown>>
  readonly ask: readonly string[]
  /** What a person calls those of the values that do not say it themselves: a model’s name for its id. */
  readonly names?: Readonly<Record<string, string>> | undefined
}

/** Undefined while nothing is recorded. */
export const recording = proxy<{ steps: readonly Step[] | undefined }>({ steps: undefined })
