/** Lets many do something, but only so many a second. */

export interface ConcurrencyLimit<T> {
  /** It is its turn when those before it had theirs; one that waits already keeps its place. */
  add(one: T): void
  readonly waiting: number
  close(): void
}

/** Milliseconds between two looks at the queue. */
const tick = 20

export function openConcurrencyLimit<T>(aSecond: number, take: (one: T) => void): ConcurrencyLimit<T> {
  const queue = new Set<T>()
  let allowed = 0
  let timer: NodeJS.Timeout | undefined
  let last = 0

  const serve = () => {
    const now = performance.now()
    allowed = Math.min(Math.max(1, aSecond / 10), allowed + ((now - last) / 1000) * aSecond)
    last = now
    for (const one of queue) {
      if (allowed < 1) break
      allowed--
      queue.delete(one)
      take(one)
    }
    timer = queue.size > 0 ? setTimeout(serve, tick) : undefined
  }
  return {
    add: one => {
      queue.add(one)
      timer ??= setTimeout(serve, 0)
    },
    get waiting() {
      return queue.size
    },
    close: () => {
      queue.clear()
      clearTimeout(timer)
    },
  }
}
