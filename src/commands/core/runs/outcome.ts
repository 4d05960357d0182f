/** What came of a run, and what puts it back. */
import type { PreviousValues } from '../../../api/contract/endpoint.ts'
import type { Failure } from '../../../domain/commands/failures.ts'

/** Every id ends in exactly one of both. */
export interface Outcome {
  readonly done: readonly string[]
  readonly failed: readonly Failure[]
  /** The values that were replaced, where they can be put back. */
  readonly before?: readonly PreviousValues[]
}

/** Why an id of a cancelled run has failed: it was never asked for. */
export const notSent = 'Cancelled before it was sent'

/** A command and the input with which it does something. */
export interface Invocation {
  readonly id: string
  readonly input: unknown
}
