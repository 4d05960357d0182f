/** Returns a function that runs work, at most `max` calls at a time; further calls wait in order. */
export function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = max
  const waiting: (() => void)[] = []
  return async work => {
    if (free > 0) free--
    // Finished work passes its slot directly to the next waiting call, so that no new call can take it in between.
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
