/** Collects events for other processes, so that many become few messages. */
import type { BusEvent } from './bus.ts'

/** Milliseconds for which events are collected. */
const batchDelay = 5

export interface EventBatcher {
  add(event: BusEvent): void
  /** Sends what was collected. Resolves once it is sent. */
  flush(): Promise<void>
}

/**
 * Opens a batcher. A batch is sent a moment after its first event, and at least `interval` milliseconds after the batch
 * before it: a single event does not wait.
 */
export function openEventBatcher(send: (events: readonly BusEvent[]) => Promise<void>, interval: number): EventBatcher {
  let events: BusEvent[] = []
  let timer: NodeJS.Timeout | undefined
  let sentAt = -Infinity
  let sending = Promise.resolve()
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (events.length === 0) return sending
    const batch = events
    events = []
    sentAt = performance.now()
    sending = send(batch)
    return sending
  }
  return {
    add: event => {
      events.push(event)
      timer ??= setTimeout(() => void flush(), Math.max(batchDelay, sentAt + interval - performance.now()))
    },
    flush,
  }
}
