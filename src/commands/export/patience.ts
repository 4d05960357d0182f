/** Reading many pages from a server that may be away for a while. */
import { ApiError } from '../../api/errors.ts'

/** Milliseconds before each new try. */
const pauses = [500, 1500, 4000] as const

/** What a server that works refuses will be refused again. */
const passes = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

/**
 * Reads, and tries again by itself where that may help; after that `ask` decides whether to go on trying. Rejects with
 * the last failure, or when `signal` fires.
 */
export async function patiently<T>(
  read: () => Promise<T>,
  ask: (why: string) => Promise<boolean>,
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
      else if (await ask(error.message)) tries = -1
      else throw error
    }
  }
}

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
