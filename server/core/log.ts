/** The server's log for operators, beside the request log. */
export interface Log {
  readonly info: (text: string) => void
  /** Logs a message with the error that caused it. */
  readonly error: (text: string, error: unknown) => void
}
