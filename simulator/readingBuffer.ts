/** A buffer for readings that are yet to be sent, for example while a device has no connection. */
import { maxReadings, type Reading } from '../server/protocol/messages.ts'

export interface ReadingBuffer {
  add(reading: Reading): void
  /** Removes and returns the readings of the next message, oldest first. */
  take(): Reading[]
  /** Returns undelivered readings to the front. */
  putBack(readings: readonly Reading[]): void
  readonly size: number
}

/** Opens a buffer of `capacity` readings. When it is full, the oldest is dropped and its litres move to the next. */
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
