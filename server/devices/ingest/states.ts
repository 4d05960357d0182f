/** What devices say of themselves, on its way into the database: at once, many in a batch, in order per device. */
import { setTimeout as wait } from 'node:timers/promises'
import { withRetry } from '../../db/retry.ts'
import { batched } from '../../core/batches.ts'
import type { LastWill, State } from '../../protocol/messages.ts'
import type { IngestOptions } from './ingestOptions.ts'
import type { Report } from './stateChange.ts'
import { storeStates, type StoredStates } from './storeStates.ts'
import { publishDevices } from './publishDevices.ts'

export interface States {
  /** Resolves once it is stored; rejects only if the database failed: then it must not be acknowledged. */
  report(bssid: string, state: State | LastWill): Promise<void>
  /** Waits for what is being stored. */
  close(): Promise<void>
}

/** States in one batch. */
const maxBatchSize = 250
/** Milliseconds before rows that someone else is writing are tried again, and until it is given up. */
const retryDelay = 20
const busyTimeout = 10_000

export function openStates({ db, bus, log, now, alarms, drops }: IngestOptions): States {
  const running = new Set<Promise<void>>()

  /** Stores all of them; those of devices that are being written by others a little later. */
  const store = async (reports: readonly Report[]): Promise<void> => {
    const until = performance.now() + busyTimeout
    for (let left = reports; left.length > 0;) {
      const stored = await withRetry(() => storeStates(db, left))
      for (const bssid of stored.unknown) drops.count(bssid, 'unknown device')
      publishDevices(bus, stored.changed)
      await evaluateAlarms(stored)
      left = left.filter(({ bssid }) => stored.busy.has(bssid))
      if (left.length > 0 && performance.now() > until) throw new Error('Devices are written by others for too long')
      if (left.length > 0) await wait(retryDelay)
    }
  }
  const evaluateAlarms = async ({ believed, updated }: StoredStates): Promise<void> => {
    try {
      if (believed.length > 0) await alarms.states(believed)
      for (const [version, bssids] of updated) await alarms.recordEvent('firmware_updated', bssids, { version })
    } catch (error) {
      // They are stored: what can still go wrong is the notification.
      log.error('States could not be judged', error)
    }
  }
  const report = batched(async (reports: readonly Report[]) => {
    await store(reports)
    return reports.map(() => undefined)
  }, maxBatchSize)

  return {
    report: (bssid, state) => {
      const done = report({ bssid, state, heardAt: now() })
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
