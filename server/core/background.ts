/** Background work that continues after the response of a call was sent. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from './log.ts'

export interface Background {
  /** Runs work after the response was sent; a failure is logged under `description`. */
  readonly defer: (description: string, work: () => Promise<void>) => void
  /** Resolves once no work is running; awaited before the database closes. */
  readonly settled: () => Promise<void>
}

/**
 * Milliseconds, enough to send the response first. The work then neither affects the response time nor competes for
 * the database, which may have a single connection.
 */
const delay = 50

export function startBackground(log: Log): Background {
  const running = new Set<Promise<void>>()
  const run = async (description: string, work: () => Promise<void>) => {
    try {
      await wait(delay)
      await work()
    } catch (error) {
      log.error(description, error)
    }
  }
  return {
    defer: (description, work) => {
      const done = run(description, work).finally(() => running.delete(done))
      running.add(done)
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
