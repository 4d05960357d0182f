/** A device's log of received commands, so that a repeated command is executed only once. */
import type { Ack, Command } from '../server/protocol/messages.ts'

/** Acknowledgements that a device keeps (docs/device-protocol.md). */
const maxCommands = 100

export interface CommandLog {
  /**
   * Decides what to do with a command: returns its acknowledgement where it has been executed, `ignore` where it is
   * running or has expired, and otherwise `do`, which marks it as running.
   */
  decide(command: Command, now: number): Ack | 'ignore' | 'do'
  /** Stores the acknowledgement of an executed command. */
  complete(ack: Ack): void
  /** The stored acknowledgements, oldest first. */
  readonly acks: readonly Ack[]
}

export function openCommandLog(stored: readonly Ack[] = []): CommandLog {
  const answers = new Map(stored.map(ack => [ack.id, ack]))
  const running = new Set<string>()
  return {
    decide: ({ id, expires_at }, now) => {
      const known = answers.get(id)
      if (known !== undefined) return known
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
