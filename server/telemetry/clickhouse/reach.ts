/** Whether ClickHouse takes readings at present, for those who watch the server. */
import { msPerMinute, msPerSecond } from '../../../src/domain/time.ts'

export interface Reach {
  /** Whether readings can be stored, as far as this is known. */
  canStore(): boolean
  /** Whether ClickHouse has answered the last question. */
  isAnswering(): boolean
  /** Returns the result of storing something, and remembers whether it failed. */
  storing<Result>(work: Promise<Result>): Promise<Result>
  close(): void
}

/** Milliseconds between two questions. */
const interval = 2 * msPerSecond
/**
 * Milliseconds for which a failure of storing counts although ClickHouse answers, as it does with a full disk: devices send
 * their readings again within that time, unless they have moved to another server.
 */
const memory = msPerMinute

/** Asks every two seconds whether ClickHouse answers; `ping` rejects if it does not. */
export function watchReach(ping: () => Promise<unknown>): Reach {
  let isAnswering = true
  let failedAt = -Infinity
  let isAsking = false
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    isAnswering = await ping().then(
      () => true,
      () => false,
    )
    isAsking = false
  }
  const timer = setInterval(() => void ask(), interval)
  // It keeps no process alive that has ended its work.
  timer.unref()
  return {
    isAnswering: () => isAnswering,
    canStore: () => isAnswering && performance.now() - failedAt > memory,
    storing: async work => {
      try {
        const result = await work
        failedAt = -Infinity
        return result
      } catch (error) {
        failedAt = performance.now()
        throw error
      }
    },
    close: () => clearInterval(timer),
  }
}
