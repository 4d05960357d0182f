/** Whoever follows the commands that are given: what a person records is made of them. */
import type { Command } from './types.ts'

/** Told when a command begins; what it returns is told whether it came to its end. */
type Follower = (command: Command, input: unknown) => (done: boolean) => void

let follower: Follower | undefined
export function observeRuns(next: Follower): void {
  follower = next
}
export const notifyRunStarted: Follower = (command, input) => follower?.(command, input) ?? (() => undefined)
