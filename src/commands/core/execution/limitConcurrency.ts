/** Work that waits for its turn: so many pieces at once, the others in the order in which they came. */

/** Does each piece of work given to what it returns, at most `most` of them at once; settles as the work does. */
export function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = most
  const waiting: (() => void)[] = []
  return async work => {
    if (free > 0) free--
    // Whoever is through hands its turn on: it never comes free in between.
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
