/** Readings that wait to be sent: a few, or many where a device was without a connection. */
import { maxReadings, type Reading } from '../server/protocol/messages.ts'

export interface ReadingBuffer {
  add(reading: Reading): void
  /** Takes those that go into one message, the oldest first. */
  take(): Reading[]
  /** Takes back those that did not arrive: they are older than all others. */
  putBack(readings: readonly Reading[]): void
  readonly size: number
}

/** Keeps as many as `most`; beyond that the oldest goes, and its litres into the one after it. */
export function openReadingBuffer(capacity: number = maxReadings): ReadingBuffer {
  const buffered: Reading[] = []
  const dropOldest = () => {
    while (buffered.length > capacity) {
      const lost = buffered.shift()!
      const next = buffered[0]!
      buffered[0] = { ...next, feed: litres(next.feed + lost.feed), permeate: litres(next.permeate + lost.permeate) }
    }
  }
  return {
    add: reading => {
      buffered.push(reading)
      dropOldest()
    },
    putBack: readings => {
      buffered.unshift(...readings)
      dropOldest()
    },
    take: () => buffered.splice(0, maxReadings),
    get size() {
      return buffered.length
    },
  }
}

const litres = (sum: number) => Math.round(sum * 1000) / 1000
