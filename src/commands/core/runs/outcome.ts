import type { PreviousValues } from '../../../api/contract/endpoint.ts'
import type { Failure } from '../../../domain/commands/failures.ts'

/** The outcome of a run for each id, which is either done or failed; neither if a job still has to reach it. */
export interface Outcome {
  readonly done: readonly string[]
  readonly failed: readonly Failure[]
  /** The values that the run replaced, if they can be restored. */
  readonly before?: readonly PreviousValues[]
  /** What a job waits for that continues on the server: `3 of 40 done, 2 wait for their devices`. */
  readonly continues?: string
}

/** The failure message of an id that was not sent because the run was cancelled. */
export const notSent = 'Cancelled before it was sent'

/** Receives the ids of each call that has ended; `before` are the replaced values of those done. */
export type OnEnded = (done: readonly string[], failed: readonly Failure[], before?: readonly PreviousValues[]) => void

/** A command's id with its input. */
export interface Invocation {
  readonly id: string
  readonly input: unknown
}
