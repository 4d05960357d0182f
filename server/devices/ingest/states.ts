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
   * Resolves once the state is stored. Rejects only if the database fails; then the message must not be
   * acknowledged. `receivedAt`: milliseconds UTC, by default now.
   */
  report(bssid: string, state: State | LastWill, receivedAt?: number): Promise<void>
  /** Waits for states that are being stored. */
  close(): Promise<void>
}

/** States per batch. */
const maxBatchSize = 250
/** Milliseconds between two attempts at locked rows, and until the attempts end with an error. */
const retryDelay = 20
const busyTimeout = 10_000

export function openStates({ db, bus, log, now, alarms, drops, unsynced }: IngestOptions): States {
  const running = new Set<Promise<void>>()

  /** Stores all reports, retrying those of devices that are locked. */
  const store = async (reports: readonly Report[]): Promise<void> => {
    const deadline = performance.now() + busyTimeout
    for (let remaining = reports; remaining.length > 0;) {
      const stored = await withRetry(() => storeStates(db, remaining))
      for (const bssid of stored.unknown) drops.count(bssid, 'unknown device')
      unsynced.add(remaining.map(({ bssid }) => bssid))
      publishDevices(bus, stored.changed)
      await evaluateAlarms(stored)
      remaining = remaining.filter(({ bssid }) => stored.busy.has(bssid))
      if (remaining.length > 0 && performance.now() > deadline) throw new Error('Devices were locked for too long')
      if (remaining.length > 0) await wait(retryDelay)
    }
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
  const report = batched(async (reports: readonly Report[]) => {
    await store(reports)
    return reports.map(() => undefined)
  }, maxBatchSize)

  return {
    report: (bssid, state, receivedAt = now().getTime()) => {
      const done = report({ bssid, state, receivedAt: new Date(receivedAt) })
      const remove = () => running.delete(done)
      running.add(done)
      done.then(remove, remove)
      return done
    },
    close: async () => {
      await Promise.allSettled(running)
    },
  }
}
