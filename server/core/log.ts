/** The server's log for operators, which is separate from Fastify's request log. */
export interface Log {
  readonly info: (text: string) => void
  /** Logs a message with the error that caused it. */
  readonly error: (text: string, error: unknown) => void
}
