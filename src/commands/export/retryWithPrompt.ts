/** Retries for reads of many pages, so that a short outage of the server does not lose the rows read so far. */
import { isTransient } from '../../api/errors.ts'
import { retry, sleep } from '../../domain/lib/retry.ts'
import { askQuestion } from '../../store/overlays.ts'

/** Milliseconds before each retry. */
const pauses = [400, 1000, 2000] as const

/**
 * Calls `read` and retries transient errors a few times, then asks the person whether to try again; the prompt shows
 * `soFar` (`1,204 devices`). Rejects with the last error, or with AbortError when `signal` fires.
 */
export async function retryWithPrompt<T>(
  read: () => Promise<T>,
  soFar: () => string,
  signal: AbortSignal,
  wait = sleep,
): Promise<T> {
  for (;;) {
    try {
      return await retry(read, { isTransient, delay: attempt => pauses[attempt], signal, sleep: wait })
    } catch (error) {
      if (!isTransient(error) || !(await askToRetry(soFar(), error.message))) throw error
    }
  }
}

const askToRetry = (soFar: string, reason: string): Promise<boolean> =>
  askQuestion({
    title: `${soFar} read so far`,
    text: `${reason}. The rows read so far are kept while you try again. No file is saved until all rows are read.`,
    action: 'Try again',
    type: undefined,
    danger: false,
  })
