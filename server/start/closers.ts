/** Closes the parts of the server in the reverse order of their opening. */
export interface Closers {
  /** Adds a function that closes what was just opened. */
  add(close: () => unknown): void
  /** Closes everything that is open. */
  closeAll(): Promise<void>
}

export function openClosers(): Closers {
  const open: (() => unknown)[] = []
  return {
    add: close => void open.push(close),
    closeAll: async () => {
      for (let close = open.pop(); close; close = open.pop()) await close()
    },
  }
}
