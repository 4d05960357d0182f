/**
 * Telemetry in ClickHouse: readings and their sums. The newest values of devices, their health and everything else stay in
 * PostgreSQL.
 */
import { sql } from 'drizzle-orm'
import type { ClickHouseAddress } from '../../core/telemetryUrl.ts'
import { telemetryLock } from '../../db/advisoryLocks.ts'
import type { Database } from '../../db/database.ts'
import { withRetry } from '../../db/retry.ts'
import { telemetryState } from '../../db/schema/telemetry.ts'
import { msPerHour } from '../../../src/domain/time.ts'
import type { TelemetryStore } from '../store.ts'
import { connect } from './connection.ts'
import { devicesWithHistory, insertRollups } from './history.ts'
import { queryMeans } from './means.ts'
import { readReadings } from './readings.ts'
import { deleteTelemetry, findCreatedAgain, findForgotten, removeOld } from './retention.ts'
import { storeBatch } from './storeBatch.ts'
import { hourOf, readState, sumEnded } from './sums.ts'
import { createTables } from './tables.ts'

/**
 * Opens the store for a database whose telemetry is in ClickHouse, creating its tables if they are missing. Rejects if
 * ClickHouse cannot be reached.
 */
export async function openClickHouseTelemetry(
  db: Database,
  address: ClickHouseAddress,
  now: Date,
): Promise<TelemetryStore> {
  const connection = await connect(address)
  await createTables(connection)
  const startHour = new Date(hourOf(now.getTime()) * msPerHour).toISOString()
  // In a new store, all readings before this hour are late.
  await db.update(telemetryState).set({
    summing_until: sql`coalesce(summing_until, ${startHour})`,
    summed_until: sql`coalesce(summed_until, ${startHour})`,
  })
  const neverAborted = new AbortController().signal
  /** Does work unless another server is doing such work. */
  const exclusively = <Result>(work: () => Promise<Result>): Promise<Result | undefined> =>
    db.transaction(async tx => {
      const { rows } = await tx.execute<{ free: boolean }>(
        sql`select pg_try_advisory_xact_lock(${telemetryLock}) as free`,
      )
      return rows[0]!.free ? work() : undefined
    })
  return {
    maxBatch: 10_000,
    write: async batch => {
      // Readings of devices that do not exist are not stored, so nothing waits until what is left of them is deleted.
      const among = await findCreatedAgain(db, [...batch.received.keys()])
      if (among.length > 0) await deleteTelemetry(db, connection, { stop: neverAborted, among })
      return withRetry(() => storeBatch(db, connection, batch))
    },
    read: keys => readReadings(connection, keys),
    means: async (bssids, grid) => {
      const forgotten = await findForgotten(db, bssids)
      const { summedUntil } = await readState(db)
      const asked = bssids.filter(bssid => !forgotten.has(bssid))
      return asked.length === 0 ? new Map() : queryMeans(connection, { ...grid, bssids: asked, summedUntil })
    },
    importRollups: (_, level, rows) => insertRollups(connection, level, rows),
    devicesWithHistory: (_, bssids, before) => devicesWithHistory(connection, bssids, before),
    settleImport: async () => undefined,
    prepare: (at, stop) => exclusively(() => sumEnded(db, connection, at, stop)),
    retain: (at, policy) => exclusively(() => removeOld(db, connection, at, policy)),
    forgetDeleted: async (stop, maxTime) =>
      (await exclusively(() => deleteTelemetry(db, connection, { stop, maxTime }))) ?? false,
    canStore: connection.canStore,
    close: connection.close,
  }
}
