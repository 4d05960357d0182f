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
