/** What a failed statement tells, and retries of transactions that failed because of concurrency. */
import { retry } from '../../src/domain/lib/retry.ts'

/** A code of Node, such as EPIPE, has no digit. */
const statePattern = /^(?=.*\d)[0-9A-Z]{5}$/

/** Returns the five-character SQLSTATE of an error or of one of its causes. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string' && statePattern.test(error.code)) return error.code
  return sqlState(error.cause)
}

/** The SQLSTATE of a row whose key exists. */
export const uniqueViolation = '23505'

/** `deadlock_detected` and `serialization_failure`: the transaction was rolled back and may be retried. */
const transientStates = ['40P01', '40001']
const maxRetries = 4

/** Returns whether a transaction failed because of another one. */
export const isTransient = (error: unknown): boolean => transientStates.includes(sqlState(error) ?? '')

/** Returns whether a statement failed because of a value, such as a number out of range, so that it would fail again: class 22. */
export const isInvalidValue = (error: unknown): boolean => sqlState(error)?.startsWith('22') ?? false

/** Runs work and retries it after transient failures, with exponential back-off and jitter. */
export const withRetry = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, {
    isTransient,
    delay: attempt => (attempt < maxRetries ? Math.random() * 40 * 2 ** attempt : undefined),
  })
