/** A call that failed: what the server said, or that it could not be reached. */
export class ApiError extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** The answer's message as it came: one text, or a list of them. */
  readonly raw: string | readonly string[]

  constructor(status: number, raw: string | readonly string[]) {
    super(typeof raw === 'string' ? raw : raw.join(', '))
    this.status = status
    this.raw = raw
  }
}

export const unreachable = 'The server cannot be reached'

/** Errors of parts of the console that did not load. */
const partErrors = new WeakSet<object>()

/** Takes note that a part of the console did not load, as the bundler's loader tells it by this event of the window. */
export function partFailed({ payload }: { payload: Error }): void {
  partErrors.add(payload)
}

/** What an error is to say to a person. */
export const textOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return partErrors.has(error)
    ? `${unreachable}, or it has a newer console. Try again, or load the page again`
    : error.message
}
