/** Reading many pages from a server that may be away for a while. */
import { ApiError } from '../../api/errors.ts'
import { retry, sleep } from '../../domain/lib/retry.ts'
import { askQuestion } from '../../store/overlays.ts'

/** Milliseconds before each new try. */
const pauses = [400, 1000, 2000] as const

/** What a server that works refuses will be refused again. */
const isTransient = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

/**
 * Reads, and tries again by itself where that may help; after that the person decides whether to go on trying, and is
 * told how much has been read (`1,204 devices`). Rejects with the last failure, or when `signal` fires.
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
      if (!isTransient(error) || !(await askToGoOn(soFar(), error.message))) throw error
    }
  }
}

const askToGoOn = (soFar: string, why: string): Promise<boolean> =>
  askQuestion({
    title: `${soFar} read so far`,
    text: `${why}. What was read is kept while you try again; without the rest there is no file.`,
    action: 'Try again',
    type: undefined,
    danger: false,
  })
