/** What the person who runs the server is told, besides the log of requests. */
export interface Log {
  readonly info: (text: string) => void
  /** With what went wrong, so that it can be put right. */
  readonly error: (text: string, error: unknown) => void
}
