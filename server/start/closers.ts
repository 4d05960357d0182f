/** Closes the parts of the server in the reverse order of their opening. */
export interface Closers {
  /** Adds a function that closes what was just opened. */
  add(close: () => unknown): void
  /** Closes everything that is open. A further call waits for the first: Ctrl+C reaches a server under npm twice. */
  closeAll(): Promise<void>
}

export function openClosers(): Closers {
  const open: (() => unknown)[] = []
  let closing: Promise<void> | undefined
  const close = async () => {
    for (const each of open.toReversed()) await each()
  }
  return {
    add: each => void open.push(each),
    closeAll: () => (closing ??= close()),
  }
}
