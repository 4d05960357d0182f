/** Retries with delays after transient errors. */

export interface RetryPolicy {
  /** Whether a retry may succeed; other errors are not retried. */
  isTransient(error: unknown): boolean
  /** Returns the milliseconds before a retry; undefined to give up. `attempt` is 0 before the first retry. */
  delay(attempt: number): number | undefined
  readonly signal?: AbortSignal
  /** By default a timer. */
  readonly sleep?: typeof sleep
}

/**
 * Runs `work`, and again after transient errors, until it succeeds or the policy gives up. Rejects with its last error, or with
 * the signal's reason when it is aborted.
 */
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
 * Returns the milliseconds before a retry: `first`, doubled for each attempt after attempt 0, at most 30 seconds. A random
 * part, up to half, is subtracted, so that many tabs do not call the server at the same moment.
 */
export const backoffDelay = (first: number, attempt: number): number =>
  Math.min(first * 2 ** attempt, maxDelay) * (0.5 + Math.random() / 2)

/** Resolves after the given milliseconds; rejects with the signal's reason if it is aborted by then. */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
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
