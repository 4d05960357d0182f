/** Reading many pages from a server that may be away for a while. */
import { ApiError } from '../../api/errors.ts'
import { askQuestion } from '../../store/overlays.ts'

/** Milliseconds before each new try. */
const pauses = [400, 1000, 2000] as const

/** What a server that works refuses will be refused again. */
const passes = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

/**
 * Reads, and tries again by itself where that may help; after that the person decides whether to go on trying, and is
 * told how much has been read (`1,204 devices`). Rejects with the last failure, or when `signal` fires.
 */
export async function retryWithPrompt<T>(
  read: () => Promise<T>,
  soFar: () => string,
  signal: AbortSignal,
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void> = waitFor,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted()
    try {
      return await read()
    } catch (error) {
      if (!passes(error)) throw error
      const pause = pauses[tries]
      if (pause !== undefined) await wait(pause, signal)
      else if (await askToGoOn(soFar(), error.message)) tries = -1
      else throw error
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

const waitFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
