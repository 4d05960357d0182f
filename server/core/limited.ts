/** Limits how much work of a kind runs at the same time. */

/** Returns a function that runs work, at most `max` at a time, in the order of the calls. */
export function limited(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []
  return async work => {
    if (running >= max) await new Promise<void>(resolve => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // The place is passed on, so that a new call cannot take it first.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
