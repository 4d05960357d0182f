/** Notifies one observer of all runs of commands, from which scripts are recorded. */
import type { Command } from './types.ts'

/** Called when a run starts. The function that it returns is called when the run ends, with whether it succeeded. */
type RunObserver = (command: Command, input: unknown) => (done: boolean) => void

let observer: RunObserver | undefined
export function observeRuns(next: RunObserver): void {
  observer = next
}
export const notifyRunStarted: RunObserver = (command, input) => observer?.(command, input) ?? (() => undefined)
