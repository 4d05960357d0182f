/** A queue that releases a limited number of items a second (a token bucket). */

export interface RateLimitedQueue<T> {
  /** Adds an item to the end; an item that is already queued keeps its place. */
  add(item: T): void
  /** Number of queued items. */
  readonly size: number
  close(): void
}

/** Milliseconds between two checks of the queue. */
const tick = 20

export function openRateLimitedQueue<T>(ratePerSecond: number, release: (item: T) => void): RateLimitedQueue<T> {
  const queue = new Set<T>()
  let tokens = 0
  let timer: NodeJS.Timeout | undefined
  let last = 0

  const serve = () => {
    const now = performance.now()
    tokens = Math.min(Math.max(1, ratePerSecond / 10), tokens + ((now - last) / 1000) * ratePerSecond)
    last = now
    for (const item of queue) {
      if (tokens < 1) break
      tokens--
      queue.delete(item)
      release(item)
    }
    timer = queue.size > 0 ? setTimeout(serve, tick) : undefined
  }
  return {
    add: item => {
      queue.add(item)
      timer ??= setTimeout(serve, 0)
    },
    get size() {
      return queue.size
    },
    close: () => {
      queue.clear()
      clearTimeout(timer)
    },
  }
}
