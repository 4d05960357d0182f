/** Ingest of states: stored without delay, in batches, and in order per device. */
import { setTimeout as wait } from 'node:timers/promises'
import { withRetry } from '../../db/retry.ts'
import { batched } from '../../core/batches.ts'
import type { LastWill, State } from '../../protocol/messages.ts'
import type { IngestOptions } from './ingestOptions.ts'
import type { Report } from './stateChange.ts'
import { storeStates, type StoredStates } from './storeStates.ts'
import { publishDevices } from './publishDevices.ts'

export interface States {
  /**
   * Resolves once the state is stored. Rejects only if the database fails or the device's row stays locked; then the message
   * must not be acknowledged. `receivedAt`: milliseconds UTC, by default now.
   */
  report(bssid: string, state: State | LastWill, receivedAt?: number): Promise<void>
  /** Waits for states that are being stored. */
  close(): Promise<void>
}

/** Devices per batch. */
const maxBatchSize = 250
/** Milliseconds between two attempts at a locked row, and until the attempts end with an error. */
const retryDelay = 20
const defaultBusyTimeout = 10_000

/** A report that is not stored yet. */
interface Waiting {
  readonly report: Report
  readonly stored: PromiseWithResolvers<void>
}

interface StatesOptions extends IngestOptions {
  /** Milliseconds for which a locked row is tried again; overridden in tests. */
  readonly busyTimeout?: number
}

export function openStates(options: StatesOptions): States {
  const { db, bus, log, now, alarms, drops, unsynced, busyTimeout = defaultBusyTimeout } = options
  /** The waiting reports by device, in order. */
  const queues = new Map<string, Waiting[]>()

  /**
   * Tries once to store all reports of these devices. Returns how many are stored of each device: none if its row is
   * locked.
   */
  const storeOnce = batched(async (batch: readonly (readonly Waiting[])[]) => {
    // The queues may grow while these are stored.
    const reports = batch.map(queue => queue.map(({ report }) => report))
    const stored = await withRetry(() => storeStates(db, reports.flat()))
    for (const bssid of stored.unknown) drops.count(bssid, 'unknown device')
    unsynced.add(reports.map(([first]) => first!.bssid))
    publishDevices(bus, stored.changed)
    await evaluateAlarms(stored)
    return reports.map(each => (stored.busy.has(each[0]!.bssid) ? 0 : each.length))
  }, maxBatchSize)
  /** Stores the queue of a device, including reports that are added meanwhile. A locked row delays no other device. */
  const storeQueue = async (bssid: string, queue: Waiting[]): Promise<void> => {
    let deadline = performance.now() + busyTimeout
    while (queue.length > 0) {
      try {
        const count = await storeOnce(queue)
        for (const { stored } of queue.splice(0, count)) stored.resolve()
        if (count > 0) deadline = performance.now() + busyTimeout
        else if (performance.now() > deadline) throw new Error('The device was locked for too long')
        else await wait(retryDelay)
      } catch (error) {
        // Later reports are rejected, too, because the earlier ones are delivered again only after them.
        for (const { stored } of queue.splice(0)) stored.reject(error)
      }
    }
    queues.delete(bssid)
  }
  const evaluateAlarms = async ({ accepted, firmwareUpdates }: StoredStates): Promise<void> => {
    try {
      if (accepted.length > 0) await alarms.states(accepted)
      for (const [version, bssids] of firmwareUpdates)
        await alarms.recordEvent(db, 'firmware_updated', bssids, { version })
    } catch (error) {
      // The states are stored, so only notifications may be missing.
      log.error('Could not evaluate the alarms of states', error)
    }
  }

  return {
    report: (bssid, state, receivedAt = now().getTime()) => {
      const added: Waiting = {
        report: { bssid, state, receivedAt: new Date(receivedAt) },
        stored: Promise.withResolvers<void>(),
      }
      const queue = queues.get(bssid)
      if (queue) queue.push(added)
      else {
        const first = [added]
        queues.set(bssid, first)
        void storeQueue(bssid, first)
      }
      return added.stored.promise
    },
    close: async () => {
      while (queues.size > 0) await Promise.allSettled([...queues.values()].flat().map(({ stored }) => stored.promise))
    },
  }
}
