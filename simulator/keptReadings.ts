/** Readings that wait to be sent: a few, or many where a device was without a connection. */
import { maxReadings, type Reading } from '../server/protocol/messages.ts'

export interface KeptReadings {
  add(reading: Reading): void
  /** Takes those that go into one message, the oldest first. */
  take(): Reading[]
  /** Takes back those that did not arrive: they are older than all others. */
  putBack(readings: readonly Reading[]): void
  readonly size: number
}

/** Keeps as many as `most`; beyond that the oldest goes, and its litres into the one after it. */
export function openKeptReadings(most: number = maxReadings): KeptReadings {
  const kept: Reading[] = []
  const forget = () => {
    while (kept.length > most) {
      const lost = kept.shift()!
      const next = kept[0]!
      kept[0] = { ...next, feed: litres(next.feed + lost.feed), permeate: litres(next.permeate + lost.permeate) }
    }
  }
  return {
    add: reading => {
      kept.push(reading)
      forget()
    },
    putBack: readings => {
      kept.unshift(...readings)
      forget()
    },
    take: () => kept.splice(0, maxReadings),
    get size() {
      return kept.length
    },
  }
}

const litres = (sum: number) => Math.round(sum * 1000) / 1000
