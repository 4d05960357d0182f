/** Retries with delays after transient errors. */

export interface RetryPolicy {
  /** Whether a retry may succeed; other errors are not retried. */
  isTransient(error: unknown): boolean
  /** Returns the milliseconds before a retry, which `attempt` counts from 0; undefined to give up. */
  delay(attempt: number): number | undefined
  readonly signal?: AbortSignal
  readonly sleep?: typeof sleep
}

/** Runs `work` until it succeeds. Rejects with its last error, or with the signal's reason when it is aborted. */
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

const maxDelay = 30_000

/**
 * Returns the milliseconds before a retry, which `attempt` counts from 0: `first`, doubled each time, at most 30 seconds.
 * Up to half of it is left out at random, so that many tabs do not call the same server at once.
 */
export const growingDelay = (first: number, attempt: number): number =>
  Math.min(first * 2 ** attempt, maxDelay) * (0.5 + Math.random() / 2)

/** Resolves after the given milliseconds; rejects with the signal's reason if it is aborted before. */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
