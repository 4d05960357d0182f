/** Ingest of readings: collects them in batches and stores each batch with one statement. */
import { newId } from '../../db/id.ts'
import type { Reading } from '../../protocol/messages.ts'
import { openProduction } from './production.ts'
import type { HealthSums } from './healthSums.ts'
import type { IngestOptions } from './ingestOptions.ts'
import { openMessageQueue, type QueuedMessage } from './messageQueue.ts'
import { sortReadings } from './sortReadings.ts'
import type { StoreResult } from '../../telemetry/store.ts'
import { msPerHour } from '../../../src/domain/time.ts'

export interface Ingest {
  /**
   * Resolves once the readings are stored; repeated and rejected ones count as handled. Rejects only if the database
   * fails; then the message must not be acknowledged. `receivedAt`: milliseconds UTC, by default now.
   */
  add(bssid: string, readings: readonly Reading[], receivedAt?: number): Promise<void>
  /** Number of readings that are queued or being stored. */
  readonly pending: number
  /** Stores the queued readings and stops. */
  close(): Promise<void>
}

export interface ReadingsOptions extends IngestOptions {
  /** Gets what stored readings show about the health of their devices. */
  readonly healthSums: HealthSums
}

/** Milliseconds. */
const defaultBatchInterval = 1000
/** Milliseconds; readings further in the future are rejected, because the device's clock is wrong. */
const maxAhead = 24 * msPerHour

/** Batches that are stored at the same time, each by one statement on a connection and a processor of PostgreSQL's. */
const maxBatches = 3

export function openIngest(options: ReadingsOptions): Ingest {
  const {
    db,
    telemetry,
    healthSums,
    log,
    now,
    alarms,
    drops,
    unsynced,
    rawDays,
    batchInterval = defaultBatchInterval,
    settling = 0,
  } = options
  const production = openProduction()
  const queue = openMessageQueue()
  const storing = new Set<Promise<void>>()
  let closing = false
  let isFailing = false
  let worker: Promise<void> | undefined
  /** When the last batch was stored, milliseconds of `performance.now()`. */
  let lastBatchAt = -Infinity
  /** Whether all that waits is of devices in batches that are being stored. */
  let isBlocked = false
  /** Ends the wait for a full batch. */
  let flushNow = () => {}
  let evaluation = Promise.resolve()

  /** Returns whether a batch is to be stored now, having waited for something to change. */
  const collectBatch = async (): Promise<boolean> => {
    if (isBlocked || storing.size >= maxBatches) {
      await Promise.race(storing)
      return false
    }
    if (!queue.isEmpty && (closing || queue.waiting >= telemetry.maxBatch)) return true
    const { promise: flushed, resolve } = Promise.withResolvers<void>()
    flushNow = resolve
    if (storing.size > 0) {
      // While others are stored, only a full one is worth a statement.
      await Promise.race([...storing, flushed])
      return false
    }
    const timer = setTimeout(resolve, Math.max(settling, lastBatchAt + batchInterval - performance.now()))
    await flushed
    clearTimeout(timer)
    return true
  }

  const store = async (id: string, batch: readonly QueuedMessage[]): Promise<StoreResult> => {
    const readings = sortReadings(batch.flatMap(({ readings }) => readings))
    // A message that was handed on may have been received before those that it comes after.
    const received = new Map<string, number>()
    for (const { bssid, receivedAt } of batch)
      received.set(bssid, Math.max(receivedAt, received.get(bssid) ?? receivedAt))
    const observe = await production.prepare(db, { readings, received })
    const result = await telemetry.write({ id, storedAt: now().getTime(), readings, received })
    healthSums.add(observe(result.fresh))
    return result
  }

  const storeBatch = async (batch: readonly QueuedMessage[]) => {
    const id = newId()
    try {
      const { fresh, unknown } = await store(id, batch)
      unsynced.add(batch.map(({ bssid }) => bssid))
      if (isFailing) log.info('Storing readings works again')
      isFailing = false
      for (const bssid of unknown) drops.count(bssid, 'unknown device')
      for (const { resolve } of batch) resolve()
      // Evaluated in the order in which batches were stored, while others are stored, and at most one batch behind.
      const before = evaluation
      if (fresh.length > 0)
        evaluation = before
          .then(() => alarms.readings(fresh, id))
          .catch((error: unknown) => log.error('Could not evaluate the alarms of readings', error))
      await before
    } catch (error) {
      if (!isFailing) log.error('Could not store readings', error)
      isFailing = true
      for (const { reject } of batch) reject(error)
    } finally {
      queue.end(batch)
    }
  }

  const work = async () => {
    while (!queue.isEmpty || storing.size > 0) {
      if (!(await collectBatch())) continue
      const batch = queue.take(telemetry.maxBatch)
      isBlocked = batch.length === 0
      if (isBlocked) continue
      lastBatchAt = performance.now()
      const stored = storeBatch(batch).then(() => {
        storing.delete(stored)
        isBlocked = false
      })
      storing.add(stored)
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
    add: (bssid, readings, receivedAt = now().getTime()) => {
      const accepted = readings.flatMap(reading => {
        const at = timeOf(bssid, reading, receivedAt)
        return at === undefined ? [] : { bssid, reading, at }
      })
      const stored = new Promise<void>((resolve, reject) =>
        queue.add({ bssid, readings: accepted, receivedAt, resolve, reject }),
      )
      if (queue.waiting >= telemetry.maxBatch) flushNow()
      worker ??= work()
      return stored
    },
    get pending() {
      return queue.waiting + queue.taken
    },
    close: async () => {
      closing = true
      flushNow()
      await worker
      await evaluation
    },
  }
}
