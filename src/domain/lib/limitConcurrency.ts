/** Returns a function that runs work, at most `max` pieces at once and the others first come, first served. */
export function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = max
  const waiting: (() => void)[] = []
  return async work => {
    if (free > 0) free--
    // Finished work passes its place on to the next in line: the place is never free in between.
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
