/** Notifies observers of all runs of commands: scripts are recorded from them, and the tour follows them. */
import type { Command } from './types.ts'

/**
 * Called when a run starts, with the policy of its job in words. The function that it returns is called when the run ends,
 * with whether it succeeded.
 */
type RunObserver = (command: Command, input: unknown, policy?: string) => (done: boolean) => void

const observers: RunObserver[] = []
export function observeRuns(observer: RunObserver): void {
  observers.push(observer)
}
export const notifyRunStarted: RunObserver = (command, input, policy) => {
  const ends = observers.map(observe => observe(command, input, policy))
  return done => {
    for (const end of ends) end(done)
  }
}
