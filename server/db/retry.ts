/** Retries of transactions that failed because of concurrency. */
import { setTimeout as wait } from 'node:timers/promises'

/** Returns the five-character SQLSTATE of an error or of one of its causes. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)) return error.code
  return sqlState(error.cause)
}

/** `deadlock_detected` and `serialization_failure`: the transaction was rolled back and may be retried. */
const transientStates = ['40P01', '40001']
const attempts = 5

/** Runs work and retries it after transient failures, with exponential back-off and jitter. */
export async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !transientStates.includes(sqlState(error) ?? '')) throw error
    }
    await wait(Math.random() * 20 * 2 ** attempt)
  }
}
