/** Runs a task again and again. */
import { setTimeout as wait } from 'node:timers/promises'
import { msPerSecond } from '../../src/domain/time.ts'
import type { Log } from './log.ts'

/** Milliseconds until a failed task is tried again. */
const failureDelay = 5 * msPerSecond

interface RepeatOptions {
  readonly log: Log
  /** What is logged when the task fails; once until it has succeeded again. */
  readonly errorText: string
  /** Milliseconds until the first run; by default none. */
  readonly delay?: number
  /** Called after each failure. */
  readonly onFailure?: (error: unknown) => void
}

/**
 * Runs a task until it is closed; the task returns the milliseconds until its next run. `close` resolves once a run that has
 * begun has ended.
 */
export function repeat(
  task: () => Promise<number>,
  { log, errorText, delay = 0, onFailure }: RepeatOptions,
): { close(): Promise<void> } {
  const stop = new AbortController()
  const { signal } = stop
  const pause = async (milliseconds: number) => {
    await wait(milliseconds, undefined, { signal }).catch(() => undefined)
  }
  const loop = async () => {
    let isFailing = false
    if (delay > 0) await pause(delay)
    while (!signal.aborted) {
      let next = failureDelay
      try {
        next = await task()
        isFailing = false
      } catch (error) {
        onFailure?.(error)
        if (!isFailing) log.error(errorText, error)
        isFailing = true
      }
      await pause(next)
    }
  }
  const running = loop()
  return {
    close: async () => {
      stop.abort()
      await running
    },
  }
}
