/** Generates history for the demo fleet: a year of rollups, written in small batches in the background. */
import { setImmediate as nextTick } from 'node:timers/promises'
import { eq, inArray, sql } from 'drizzle-orm'
import { offlineStatus } from '../../src/domain/device.ts'
import { msPerDay, msPerHour } from '../../src/domain/time.ts'
import { anyOf } from '../db/anyOf.ts'
import type { Database } from '../db/database.ts'
import { untilThereIsRoom } from '../db/room.ts'
import { devices } from '../db/schema/devices.ts'
import { deviceValues } from '../db/schema/deviceValues.ts'
import { deviceHealth } from '../db/schema/health.ts'
import type { DatabaseState } from '../db/state.ts'
import { deviceTwins } from '../db/schema/telemetry.ts'
import { fleetDevices } from '../devices/fleetFile.ts'
import { fitMembranes } from '../devices/health/fits.ts'
import { writeHealthDays } from '../devices/health/days.ts'
import { writeLives } from '../devices/health/lives.ts'
import { writeOutcomes } from '../devices/health/storeOutcomes.ts'
import type { Log } from '../core/log.ts'
import type { TelemetryStore } from '../telemetry/store.ts'
import { bssidAt, hiddenByBssid } from './device.ts'
import { healthHistory } from './healthHistory.ts'
import type { PastDevice, PastSteps } from './pastDevice.ts'
import { pastSteps } from './pastSteps.ts'
import { seededAt } from './seededAt.ts'
import { simulateHistory, type SimulatedHistory, type Span } from './simulateHistory.ts'

export interface HistoryOptions {
  readonly db: Database
  readonly telemetry: TelemetryStore
  readonly database: DatabaseState
  readonly log: Log
  /** Number of demo devices. */
  readonly fleet: number
  readonly seed?: number
  /** Days of history. */
  readonly days: number
}

export interface History {
  /** Resolves when the history is written or writing was stopped. Never rejects; failures are logged. */
  readonly done: Promise<void>
  /** Stops after the current batch of devices; the next start continues. */
  close(): Promise<void>
}

/** Starts writing the missing history of the demo devices; the history of a device is written atomically. */
export function startHistory(options: HistoryOptions): History {
  const stop = new AbortController()
  const done = writeHistory(options, stop.signal).catch((error: unknown) =>
    options.log.error('Could not write the history of the demo', error),
  )
  return {
    done,
    close: () => {
      stop.abort()
      return done
    },
  }
}

interface DeviceHistory {
  readonly bssid: string
  readonly history: SimulatedHistory
  readonly past: PastDevice
}

/** A device's history with what its supply adds. */
type KnownHistory = DeviceHistory & { readonly steps: PastSteps }

/** Devices per transaction: enough to amortize the statements, few enough not to block others. */
const devicesPerTransaction = 4

async function writeHistory(
  { db, telemetry, database, fleet, seed = 1, days }: HistoryOptions,
  signal: AbortSignal,
): Promise<void> {
  const now = await seededAt(db)
  if (now === undefined || days === 0) return
  const bssids = Array.from({ length: fleet }, (_, index) => bssidAt(seed, index))
  const found = await devicesWithoutHistory(db, telemetry, bssids, now)
  const hidden = hiddenByBssid(seed, fleet, now)
  for (const supply of Map.groupBy(found, supplyOf).values()) {
    const spans = new Map(supply.map(device => [device.bssid, spanOf(device, days, now)]))
    const emptySecrets = new Map([...spans.keys()].map(bssid => [bssid, '']))
    const generated: DeviceHistory[] = []
    for await (const device of fleetDevices(db, emptySecrets, new Date(now))) {
      await untilThereIsRoom(database, signal)
      if (signal.aborted) return
      const { bssid } = device
      const span = spans.get(bssid)!
      if (span.from >= span.to) continue
      const whole = { ...device, ...hidden.get(bssid) }
      const past = healthHistory(whole, seed, span, now)
      generated.push({ bssid, history: simulateHistory(whole, seed, span, now), past })
      // Yields to API calls.
      await nextTick()
    }
    const steps = pastSteps(generated.map(({ past }) => past))
    const known = generated.map((history, index): KnownHistory => ({ ...history, steps: steps[index]! }))
    for (let at = 0; at < known.length; at += devicesPerTransaction)
      await storeHistories(db, telemetry, known.slice(at, at + devicesPerTransaction), now)
  }
  if (found.length === 0) return
  await telemetry.settleImport()
  // Their health is computed once the seasons of all of them are known.
  await fitMembranes(db, new Date(now))
  await db
    .update(deviceHealth)
    .set({ due_at: new Date(now) })
    .where(
      inArray(
        deviceHealth.bssid,
        found.map(({ bssid }) => bssid),
      ),
    )
}

/** Returns what the devices of one supply have in common; a device without a label is alone. */
const supplyOf = ({
  vendor_id,
  water_supply,
  bssid,
}: {
  vendor_id: string
  water_supply: string | null
  bssid: string
}) => `${vendor_id} ${water_supply ?? bssid}`

/** Returns the devices that have no rollups before `now`. */
async function devicesWithoutHistory(db: Database, telemetry: TelemetryStore, bssids: readonly string[], now: number) {
  const found = await db
    .select({
      bssid: devices.bssid,
      vendor_id: devices.vendor_id,
      water_supply: devices.water_supply,
      status: deviceValues.status,
      created_at: devices.created_at,
      last_active: deviceValues.last_active,
    })
    .from(devices)
    .innerJoin(deviceValues, eq(deviceValues.bssid, devices.bssid))
    .where(anyOf(devices.bssid, bssids))
  const written = await telemetry.devicesWithHistory(db, bssids, Math.floor(now / msPerHour) * msPerHour)
  return found.filter(({ bssid }) => !written.has(bssid))
}

/** Returns the span before `now` in which a device was in use. */
const spanOf = (
  { status, created_at, last_active }: { status: number; created_at: Date; last_active: Date | null },
  days: number,
  now: number,
): Span => ({
  from: Math.max(created_at.getTime(), now - days * msPerDay),
  to: status === offlineStatus ? Math.min(now, last_active?.getTime() ?? 0) : now,
})

async function storeHistories(
  db: Database,
  telemetry: TelemetryStore,
  generated: readonly KnownHistory[],
  now: number,
): Promise<void> {
  if (generated.length === 0) return
  await db.transaction(async tx => {
    const bssids = generated.map(({ bssid }) => bssid)
    // Another server on the same database may have stored them in the meantime.
    await tx.execute(
      sql`select from ${deviceTwins} where bssid = any(${sql.param(bssids)}::text[]) order by bssid for update`,
    )
    const found = await devicesWithoutHistory(tx, telemetry, bssids, now)
    const withoutHistory = new Map(found.map(({ bssid, vendor_id }) => [bssid, vendor_id]))
    const kept = generated.filter(({ bssid }) => withoutHistory.has(bssid))
    const histories = kept.map(({ history }) => history)
    await writeHealthDays(
      tx,
      kept.flatMap(({ past }) => past.days),
    )
    await writeOutcomes(
      tx,
      kept.map(({ bssid, steps }) => ({
        bssid,
        vendor_id: withoutHistory.get(bssid)!,
        followed: steps.forecasts,
      })),
    )
    await writeLives(
      tx,
      kept.map(({ bssid, steps }) => ({ bssid, lives: steps.lives })),
    )
    for (const { bssid, steps } of kept)
      await tx.update(deviceHealth).set({ volumes: steps.volumes }).where(eq(deviceHealth.bssid, bssid))
    for (const [level, rows] of [
      ['day', histories.flatMap(({ days }) => days)],
      ['hour', histories.flatMap(({ hours }) => hours)],
      ['ten minutes', histories.flatMap(({ tenMinutes }) => tenMinutes)],
    ] as const) {
      await telemetry.importRollups(tx, level, rows)
      await nextTick()
    }
  })
}
