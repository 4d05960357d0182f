/** The newest values of devices: they follow their device, and a reading writes nothing else that lists sort by. */
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../server/db/database.ts'
import { migrate, migrationFiles } from '../../../server/db/migrations.ts'
import { newId } from '../../../server/db/id.ts'
import { addressOf, openPostgres } from '../../../server/db/postgres.ts'
import { deviceValues } from '../../../server/db/schema/deviceValues.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { demoId } from '../../../server/demo/random.ts'
import { dayNumber, openPartitions } from '../../../server/telemetry/postgres/partitions.ts'
import { storeReadings } from '../../../server/telemetry/postgres/storeReadings.ts'
import { storeStates } from '../../../server/devices/ingest/storeStates.ts'
import { syncTwins } from '../../../server/devices/ingest/sync.ts'
import { createDatabase, dropDatabase } from '../../support/postgres.ts'
import { deviceRow } from '../support/devices/deviceRows.ts'
import { startServer } from '../support/harness.ts'
import { newDevice, readingAt } from '../support/devices/readingSamples.ts'

const { db, databaseUrl } = await startServer()

const valuesOf = (bssid: string) => db.select().from(deviceValues).where(eq(deviceValues.bssid, bssid))

test('follow their device to another vendor, and are deleted with it', async () => {
  const bssid = await newDevice(db, { temperature: 12.5 })
  const vendor_id = demoId('account vendor2')
  await db.update(devices).set({ vendor_id }).where(eq(devices.bssid, bssid))
  expect(await valuesOf(bssid)).toMatchObject([{ vendor_id, temperature: 12.5 }])
  await db.delete(devices).where(eq(devices.bssid, bssid))
  expect(await valuesOf(bssid)).toEqual([])
})

/** Returns how many rows the connection has written in each table since its statistics were sent last. */
async function rowsWritten(tx: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await tx.execute<{ name: string; n: number }>(sql`
    select relname as name, (n_tup_ins + n_tup_upd + n_tup_del)::integer as n from pg_stat_xact_user_tables
    where relname not like 'readings_%'`)
  return new Map(rows.map(({ name, n }) => [name, n]))
}

/** Runs work in a transaction, and returns the number of rows that it wrote in each table. */
const writes = (work: (tx: Database) => Promise<unknown>): Promise<Record<string, number>> =>
  db.transaction(async tx => {
    const before = await rowsWritten(tx)
    await work(tx)
    const after = [...(await rowsWritten(tx))].map(([name, n]) => [name, n - (before.get(name) ?? 0)] as const)
    return Object.fromEntries(after.filter(([, n]) => n > 0))
  })

test('a reading writes one row of values, and neither writes nor locks the row of its device', async () => {
  const bssid = await newDevice(db)
  // After the device was created, which counts as the time when it went offline.
  const first = Date.now() + 1000
  await openPartitions(db).ensure(['readings'], [dayNumber(first), dayNumber(first + 1)])
  /** `at`: milliseconds UTC. */
  const store = (at: number, temperature: number) =>
    writes(tx => {
      const readings = [{ bssid, at, reading: readingAt(at, { temperature }) }]
      return storeReadings(tx, { id: newId(), storedAt: at, readings, received: new Map([[bssid, at]]) })
    })
  const sync = () => writes(tx => syncTwins(tx, [bssid]))
  // The first message sets the status.
  await store(first, 20)
  await sync()
  /** The place of the row's newest version, and the transactions that wrote it and locked it last. */
  const written = async () =>
    (await db.execute(sql`select ctid, xmin, xmax from devices where bssid = ${bssid}`)).rows[0]
  const before = await written()
  expect(await store(first + 1, 31)).toEqual({
    device_twins: 1,
    unevaluated_readings: 1,
  })
  expect(await sync()).toEqual({ device_values: 1 })
  expect(await written()).toEqual(before)
  expect(await deviceRow(db, bssid)).toMatchObject({ temperature: 31, feed: 2 })
})

test('a change of status writes no row of what people set', async () => {
  const bssid = await newDevice(db)
  const report = (status: 0 | 1 | 2) => {
    const receivedAt = new Date()
    return writes(tx => storeStates(tx, [{ bssid, state: { at: receivedAt.toISOString(), status }, receivedAt }]))
  }
  // The first message also schedules the check for silence.
  await report(0)
  expect(await report(1)).toEqual({ device_twins: 1, device_values: 1 })
  expect(await deviceRow(db, bssid)).toMatchObject({ status: 1 })
})

test('messages write no index of twins', async () => {
  const bssid = await newDevice(db)
  const first = Date.now() + 1000
  await openPartitions(db).ensure(['readings'], [dayNumber(first), dayNumber(first + 2)])
  const written = await db.transaction(async tx => {
    for (const at of [first, first + 1]) {
      const readings = [{ bssid, at, reading: readingAt(at, { temperature: at % 100 }) }]
      await storeReadings(tx, { id: newId(), storedAt: at, readings, received: new Map([[bssid, at]]) })
      await storeStates(tx, [{ bssid, state: { at: new Date(at).toISOString(), status: 1 }, receivedAt: new Date(at) }])
      await syncTwins(tx, [bssid])
    }
    return tx.execute<{ updates: number; without_index: number }>(sql`
      select n_tup_upd::integer as updates, n_tup_hot_upd::integer as without_index from pg_stat_xact_user_tables
      where relname = 'device_twins'`)
  })
  const { updates, without_index } = written.rows[0]!
  expect(updates).toBeGreaterThanOrEqual(4)
  expect(without_index).toBe(updates)
})

/** Stores a batch with one reading of each device. `at`: milliseconds UTC. */
const storeOfEach = (tx: Database, bssids: readonly string[], at: number) =>
  storeReadings(tx, {
    id: newId(),
    storedAt: at,
    readings: bssids.map(bssid => ({ bssid, at, reading: readingAt(at) })),
    received: new Map(bssids.map(bssid => [bssid, at])),
  })

/** Returns a database with a single connection, which has its own plans and statistics. */
function singleConnection(): Database {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  onTestFinished(() => pool.end())
  return drizzle(pool)
}
/** Returns how often the connection has run the named statement, by whether it was planned for the call. */
async function runsOf(single: Database, name: string): Promise<{ kept: number; planned: number }> {
  const { rows } = await single.execute<{ kept: number; planned: number }>(sql`
    select coalesce(sum(generic_plans), 0)::integer as kept, coalesce(sum(custom_plans), 0)::integer as planned
    from pg_prepared_statements where name = ${name}`)
  return rows[0]!
}

test('a reading writes little to the write-ahead log, and small batches are not planned each time', async () => {
  const bssids = await Promise.all(Array.from({ length: 20 }, () => newDevice(db)))
  const first = Date.now() + 1000
  await openPartitions(db).ensure(['readings'], [dayNumber(first), dayNumber(first + 1000)])
  const single = singleConnection()
  const bytesWritten = async () => {
    await single.execute(sql`select pg_stat_force_next_flush()`)
    const { rows } = await single.execute<{ bytes: number }>(
      sql`select wal_bytes::float8 as bytes from pg_stat_get_backend_wal(pg_backend_pid())`,
    )
    return rows[0]!.bytes
  }
  // Each of the first five calls is planned, and the first one writes whole pages.
  for (let at = first; at < first + 5; at++) await storeOfEach(single, bssids, at)
  const [bytes, runs] = [await bytesWritten(), await runsOf(single, 'store_readings')]
  for (let at = first + 5; at < first + 15; at++) await storeOfEach(single, bssids, at)
  expect(await runsOf(single, 'store_readings')).toEqual({ kept: runs.kept + 10, planned: runs.planned })
  const perReading = ((await bytesWritten()) - bytes) / (10 * bssids.length)
  expect(perReading).toBeGreaterThan(0)
  expect(perReading).toBeLessThan(700)
})

test('a large batch is planned for its size', async () => {
  const bssids = await Promise.all(Array.from({ length: 60 }, () => newDevice(db)))
  const at = Date.now() + 1000
  await openPartitions(db).ensure(['readings'], [dayNumber(at)])
  const single = singleConnection()
  expect((await storeOfEach(single, bssids, at)).fresh).toHaveLength(60)
  expect(await runsOf(single, 'store_readings')).toEqual({ kept: 0, planned: 0 })
})

test('have one index for each value that lists sort by, and that of the key', async () => {
  const { rows } = await db.execute<{ columns: string }>(sql`
    select string_agg(attname, ',' order by attnum) as columns from pg_index
    join pg_attribute on attrelid = indexrelid where indrelid = 'device_values'::regclass group by indexrelid`)
  const values = ['last_active', 'rejection_rate', 'recovery_rate', 'temperature', 'pressure', 'feed_tds']
  const others = ['permeate_tds', 'feed', 'permeate', 'waste', 'status']
  const expected = ['bssid', ...[...values, ...others].map(name => `${name},bssid,vendor_id`)]
  expect(rows.map(({ columns }) => columns).toSorted()).toEqual(expected.toSorted())
})

const migrations = migrationFiles().map(({ name }) => name)

test('are carried over from an earlier version', async () => {
  const name = `permeate_values_${process.pid}_${Date.now()}`
  const url = await createDatabase(databaseUrl, name)
  onTestFinished(() => dropDatabase(databaseUrl, name))
  const pool = new Pool({ connectionString: url })
  const earlier = drizzle(pool)
  await migrate(earlier, migrations.indexOf('0013_device_values.sql'))
  await earlier.execute(sql`insert into accounts (id, role, login, password_hash) values ('v', 'vendor', 'v', '')`)
  await earlier.execute(sql`insert into device_models (id, platform, name, capabilities, bypass_flow_rates)
    values ('m', 'p', 'm', '{}', '{}')`)
  await earlier.execute(sql`insert into devices (bssid, platform, model_id, vendor_id, status, last_active, temperature,
      pressure, feed, permeate, waste)
    values ('A', 'p', 'm', 'v', 1, '2026-01-02T03:04:05Z', 21.5, null, 10, 4, 6), ('B', 'p', 'm', 'v', 3, null, null,
      null, 0, 0, 0)`)
  await pool.end()
  const { db: migrated, close } = await openPostgres(addressOf(url))
  onTestFinished(close)
  const last_active = new Date('2026-01-02T03:04:05Z')
  const water = { feed: 10, permeate: 4, waste: 6 }
  expect(await deviceRow(migrated, 'A')).toMatchObject({ status: 1, last_active, temperature: 21.5, ...water })
  expect(await deviceRow(migrated, 'B')).toMatchObject({ status: 3, last_active: null, temperature: null, feed: 0 })
})
