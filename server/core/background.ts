/** Work that goes on after its call was answered. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from './log.ts'

export interface Background {
  /** Starts the work once the answer is out; its failure is logged as `what`. */
  readonly defer: (description: string, work: () => Promise<void>) => void
  /** Resolves when nothing is under way: before the database closes. */
  readonly settled: () => Promise<void>
}

/**
 * Long enough for an answer to be out. So the work neither shows in how long the answer took, nor does the database,
 * which may have a single connection, take it before what the answer itself needs.
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
