/** A device's log of received commands, so that a repeated command is executed only once. */
import type { Ack, Command } from '../server/protocol/messages.ts'

/** Maximum acknowledgements that a device stores (docs/device-protocol.md). */
const maxAcks = 100

export interface CommandLog {
  /**
   * Decides how to handle a command: returns its acknowledgement if it has been executed, `running` or `expired` if it is to
   * be ignored, and otherwise `execute`, which marks it as running.
   */
  decide(command: Command, now: number): Ack | 'running' | 'expired' | 'execute'
  /** Stores the acknowledgement of an executed command. */
  complete(ack: Ack): void
  /** The stored acknowledgements, oldest first. */
  readonly acks: readonly Ack[]
}

export function openCommandLog(stored: readonly Ack[] = []): CommandLog {
  const acksById = new Map(stored.map(ack => [ack.id, ack]))
  const running = new Set<string>()
  return {
    decide: ({ id, expires_at }, now) => {
      const ack = acksById.get(id)
      if (ack !== undefined) return ack
      if (running.has(id)) return 'running'
      if (Date.parse(expires_at) <= now) return 'expired'
      running.add(id)
      return 'execute'
    },
    complete: ack => {
      running.delete(ack.id)
      acksById.set(ack.id, ack)
      for (const id of acksById.keys()) {
        if (acksById.size <= maxAcks) break
        acksById.delete(id)
      }
    },
    get acks() {
      return [...acksById.values()]
    },
  }
}
