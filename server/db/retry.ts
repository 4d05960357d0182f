/** Statements that another one got in the way of. */
import { setTimeout as wait } from 'node:timers/promises'

/** The database's five-character code of what went wrong, wherever it stands in the chain of causes. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)) return error.code
  return sqlState(error.cause)
}

/** `deadlock_detected` and `serialization_failure`: nothing was done, and nothing is wrong with what was asked. */
const transientStates = ['40P01', '40001']
const attempts = 5

/** Does the work again where others were in its way, after a short while that differs between processes. */
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
