/** Waiting in tests for a condition, never for a fixed time. */
import { setTimeout as pause } from 'node:timers/promises'

/** The time in milliseconds, also where a test has replaced the clock. */
const now = performance.now.bind(performance)

/** Milliseconds; the longest pause by default. */
const maxPause = 100

/**
 * Waits until the expectation holds, and returns its result; rejects with its last error after `timeout` milliseconds.
 * It is tried every `interval` milliseconds, and less often the longer it takes, up to a tenth of the time so far: this
 * leaves the processor to other tests while a slow thing is awaited.
 */
export async function until<Result>(
  holds: () => Result | Promise<Result>,
  { timeout = 20_000, interval = 10 }: { readonly timeout?: number; readonly interval?: number } = {},
): Promise<Result> {
  for (const started = now(); ;) {
    try {
      return await holds()
    } catch (error) {
      if (now() - started > timeout) throw error
    }
    await pause(Math.max(interval, Math.min(maxPause, (now() - started) / 10)))
  }
}
