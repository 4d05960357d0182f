/** A buffer for unsent readings, for example while a device has no connection. */
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
  const readings: Reading[] = []
  const dropOldest = () => {
    while (readings.length > capacity) {
      const dropped = readings.shift()!
      const next = readings[0]!
      readings[0] = {
        ...next,
        feed: litres(next.feed + dropped.feed),
        permeate: litres(next.permeate + dropped.permeate),
      }
    }
  }
  return {
    add: reading => {
      readings.push(reading)
      dropOldest()
    },
    putBack: undelivered => {
      readings.unshift(...undelivered)
      dropOldest()
    },
    take: () => readings.splice(0, maxReadings),
    get size() {
      return readings.length
    },
  }
}

const litres = (sum: number) => Math.round(sum * 1000) / 1000
