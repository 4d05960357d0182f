/** Trying again after failures that pass by themselves. */

export interface RetryPolicy {
  /** Whether a failure may pass by itself; any other is final. */
  isTransient(error: unknown): boolean
  /** Milliseconds before the next attempt, counted from 0; undefined where there is none. */
  delay(attempt: number): number | undefined
  readonly signal?: AbortSignal
  readonly sleep?: typeof sleep
}

/** Runs `work` until it succeeds; rejects with its last failure, or when `signal` fires. */
export async function retry<T>(work: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    policy.signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      const delay = policy.isTransient(error) ? policy.delay(attempt) : undefined
      if (delay === undefined) throw error
      await (policy.sleep ?? sleep)(delay, policy.signal)
    }
  }
}

/** Resolves after so many milliseconds; rejects when `signal` fires before. */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
