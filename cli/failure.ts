/** How the program ends. */

/**
 * `failed`: some devices did not do it, or the server refused. `usage`: a wrong command line, or values that the server does
 * not accept. `forbidden`: no valid key, or one that may not do it. `unreachable`: no answer.
 */
export const exitCodes = { done: 0, failed: 1, usage: 2, forbidden: 3, unreachable: 4 } as const
export type ExitCodeName = keyof typeof exitCodes

/** An error whose message is shown to the person, without a stack trace. */
export class Failure extends Error {
  readonly exitCodeName: ExitCodeName

  constructor(exitCodeName: ExitCodeName, message: string) {
    super(message)
    this.exitCodeName = exitCodeName
  }
}

export const usageError = (message: string) => new Failure('usage', message)
