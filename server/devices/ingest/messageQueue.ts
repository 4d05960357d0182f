/** Messages that wait to be stored. Those of one device are never in two batches at the same time, so they keep their order. */
import type { ReceivedReading } from '../../telemetry/store.ts'

export interface QueuedMessage {
  readonly bssid: string
  readonly readings: readonly ReceivedReading[]
  /** Milliseconds UTC. */
  readonly receivedAt: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface MessageQueue {
  readonly isEmpty: boolean
  /** The number of readings that wait. */
  readonly waiting: number
  /** The number of readings in batches that have not ended. */
  readonly taken: number
  add(message: QueuedMessage): void
  /**
   * Takes the oldest messages with about `size` readings in all. It skips devices that are in a batch that has not ended,
   * so it may return none.
   */
  take(size: number): readonly QueuedMessage[]
  /** Lets the devices of a batch be taken again. */
  end(batch: readonly QueuedMessage[]): void
}

const sizeOf = (messages: readonly QueuedMessage[]) =>
  messages.reduce((size, { readings }) => size + readings.length, 0)

export function openMessageQueue(): MessageQueue {
  let messages: QueuedMessage[] = []
  const busy = new Set<string>()
  let waiting = 0
  let taken = 0
  return {
    get isEmpty() {
      return messages.length === 0
    },
    get waiting() {
      return waiting
    },
    get taken() {
      return taken
    },
    add: message => {
      messages.push(message)
      waiting += message.readings.length
    },
    take: size => {
      const batch: QueuedMessage[] = []
      const left: QueuedMessage[] = []
      let count = 0
      let index = 0
      for (; index < messages.length && count < size; index++) {
        const message = messages[index]!
        if (busy.has(message.bssid)) left.push(message)
        else {
          batch.push(message)
          count += message.readings.length
        }
      }
      messages = [...left, ...messages.slice(index)]
      for (const { bssid } of batch) busy.add(bssid)
      waiting -= count
      taken += count
      return batch
    },
    end: batch => {
      for (const { bssid } of batch) busy.delete(bssid)
      taken -= sizeOf(batch)
    },
  }
}
