/** The commands that a device has had, so that a repeated one is done once. */
import type { Ack, Command } from '../server/protocol/messages.ts'

/** Answers that a device keeps (docs/device-protocol.md). */
const maxCommands = 100

export interface CommandLog {
  /**
   * What to do with a command: its answer again where it has been done, nothing where it is being done or is past its
   * time, or to do it now.
   */
  decide(command: Command, now: number): Ack | 'ignore' | 'do'
  /** Keeps the answer to a command that has been done. */
  complete(ack: Ack): void
  /** Those that are kept, the oldest first. */
  readonly acks: readonly Ack[]
}

export function openCommandLog(kept: readonly Ack[] = []): CommandLog {
  const answers = new Map(kept.map(ack => [ack.id, ack]))
  const running = new Set<string>()
  return {
    decide: ({ id, expires_at }, now) => {
      const before = answers.get(id)
      if (before !== undefined) return before
      if (running.has(id) || Date.parse(expires_at) <= now) return 'ignore'
      running.add(id)
      return 'do'
    },
    complete: ack => {
      running.delete(ack.id)
      answers.set(ack.id, ack)
      for (const id of answers.keys()) {
        if (answers.size <= maxCommands) break
        answers.delete(id)
      }
    },
    get acks() {
      return [...answers.values()]
    },
  }
}
