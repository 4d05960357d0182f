/** Ingest of readings: collects them in batches, each of which is stored at once. */
import { newId } from '../../db/id.ts'
import type { Reading } from '../../protocol/messages.ts'
import { markLeaking, restInLocalDays } from './leaks.ts'
import { openProduction } from './production.ts'
import type { IngestOptions } from './ingestOptions.ts'
import { sortReadings } from './sortReadings.ts'
import type { ReceivedReading, StoreResult } from '../../telemetry/store.ts'
import { msPerHour } from '../../../src/domain/time.ts'

export interface Ingest {
  /**
   * Resolves once the readings are stored; repeated and rejected ones count as handled. Rejects only if the database
   * fails; then the message must not be acknowledged.
   */
  add(bssid: string, readings: readonly Reading[]): Promise<void>
  /** Number of readings that are queued or being stored. */
  readonly pending: number
  /** Stores the queued readings and stops. */
  close(): Promise<void>
}

/** Milliseconds. */
const defaultBatchInterval = 1000
/** Milliseconds; readings further in the future are rejected, because the device's clock is wrong. */
const maxAhead = 24 * msPerHour

interface QueuedMessage {
  readonly bssid: string
  readonly readings: readonly ReceivedReading[]
  readonly receivedAt: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export function openIngest(options: IngestOptions): Ingest {
  const { db, telemetry, log, now, alarms, drops, unsynced, rawDays, batchInterval = defaultBatchInterval } = options
  const production = openProduction()
  let queue: QueuedMessage[] = []
  let queued = 0
  let inFlight = 0
  let closing = false
  let isFailing = false
  let worker: Promise<void> | undefined
  /** When the last batch was stored, milliseconds of `performance.now()`. */
  let lastBatchAt = -Infinity
  /** Ends the collection of the current batch. */
  let flushNow = () => {}
  let evaluation = Promise.resolve()

  const waitForBatch = () =>
    new Promise<void>(resolve => {
      const delay = queued >= telemetry.maxBatch || closing ? 0 : lastBatchAt + batchInterval - performance.now()
      const timer = setTimeout(resolve, Math.max(0, delay))
      flushNow = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  /** Takes the next batch of whole messages from the queue. */
  const nextBatch = (): readonly QueuedMessage[] => {
    let count = 0
    const end = queue.findIndex(({ readings }) => (count += readings.length) >= telemetry.maxBatch)
    const batch = end < 0 ? queue : queue.slice(0, end + 1)
    queue = end < 0 ? [] : queue.slice(end + 1)
    inFlight = sizeOf(batch)
    queued -= inFlight
    return batch
  }

  const store = async (id: string, batch: readonly QueuedMessage[]): Promise<StoreResult> => {
    const readings = sortReadings(batch.flatMap(({ readings }) => readings))
    const health = await restInLocalDays(db, await production.observe(db, readings))
    // In the order in which messages were received, so the last time of a device wins.
    const received = new Map(batch.map(({ bssid, receivedAt }) => [bssid, receivedAt]))
    const storedAt = now().getTime()
    const result = await telemetry.write({ id, storedAt, readings, health, received })
    await markLeaking(db, health, now()).catch((error: unknown) => log.error('Could not look for leaks', error))
    return result
  }

  const storeNext = async () => {
    const batch = nextBatch()
    const id = newId()
    lastBatchAt = performance.now()
    try {
      const { fresh, unknown } = await store(id, batch)
      unsynced.add(batch.map(({ bssid }) => bssid))
      if (isFailing) log.info('Storing readings works again')
      isFailing = false
      for (const bssid of unknown) drops.count(bssid, 'unknown device')
      for (const { resolve } of batch) resolve()
      // Evaluated in order while the next batch is stored, and at most one batch behind.
      await evaluation
      if (fresh.length > 0)
        evaluation = alarms
          .readings(fresh, id)
          .catch((error: unknown) => log.error('Could not evaluate the alarms of readings', error))
    } catch (error) {
      if (!isFailing) log.error('Could not store readings', error)
      isFailing = true
      for (const { reject } of batch) reject(error)
    } finally {
      inFlight = 0
    }
  }

  const work = async () => {
    while (queue.length > 0) {
      await waitForBatch()
      await storeNext()
    }
    worker = undefined
  }

  /** Returns the time of a reading, or `undefined` if it is too far ahead or too old. */
  const timeOf = (bssid: string, reading: Reading, receivedAt: number): number | undefined => {
    const at = Date.parse(reading.at)
    const dropReason =
      at > receivedAt + maxAhead ? 'ahead of time' : at < receivedAt - rawDays * 24 * msPerHour ? 'too old' : undefined
    if (dropReason === undefined) return at
    drops.count(bssid, dropReason)
    return undefined
  }

  return {
    add: (bssid, readings) => {
      const receivedAt = now().getTime()
      const accepted = readings.flatMap(reading => {
        const at = timeOf(bssid, reading, receivedAt)
        return at === undefined ? [] : { bssid, reading, at }
      })
      queued += accepted.length
      const stored = new Promise<void>((resolve, reject) =>
        queue.push({ bssid, readings: accepted, receivedAt, resolve, reject }),
      )
      if (queued >= telemetry.maxBatch) flushNow()
      worker ??= work()
      return stored
    },
    get pending() {
      return queued + inFlight
    },
    close: async () => {
      closing = true
      flushNow()
      await worker
      await evaluation
    },
  }
}

const sizeOf = (batch: readonly QueuedMessage[]) => batch.reduce((size, { readings }) => size + readings.length, 0)
