/**
 * What storing a reading costs in each place where telemetry can be, without devices and broker: processor time of this
 * program and of the databases, write-ahead log, and disk. The first batches warm up, and old hours are summed meanwhile.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { asc, sql } from 'drizzle-orm'
import { msPerHour, msPerSecond } from '../../../src/domain/time.ts'
import { readTelemetryUrl } from '../../../server/core/telemetryUrl.ts'
import type { Database } from '../../../server/db/database.ts'
import { newId } from '../../../server/db/id.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { telemetryState } from '../../../server/db/schema/telemetry.ts'
import { openClickHouseTelemetry } from '../../../server/telemetry/clickhouse/store.ts'
import { openPostgresTelemetry } from '../../../server/telemetry/postgres/store.ts'
import type { ReceivedReading, TelemetryStore } from '../../../server/telemetry/store.ts'
import { executable } from '../../../scripts/testPrograms.ts'
import { launchClickHouse } from '../../support/clickhouse.ts'
import type { Bench, LongPart } from '../bench.ts'
import { figure, progress, report } from '../figures.ts'
import { secondsOfMatching } from '../processes.ts'
import { openOwnDatabase } from './ownDatabase.ts'

/** Devices, each with a reading every 30 seconds; rounds of one reading each. */
const fleet = 10_000
const interval = 30 * msPerSecond
const rounds = 40
const warmUp = 10
const never = new AbortController().signal
/** Milliseconds for what ClickHouse still merges. */
const settleTime = 5_000

/** Returns a reading of each device; one in 25 produces. */
function readingsAt(bssids: readonly string[], round: number, at: number): ReceivedReading[] {
  return bssids.map((bssid, index) => {
    const runs = (index + Math.floor(round / 6)) % 25 === 0
    const wander = 1 + Math.round(Math.sin(index * 7 + round) * 100) / 5000
    const values = {
      feed: runs ? 1 : 0,
      permeate: runs ? 0.4 : 0,
      feed_flow: runs ? 2 * wander : 0,
      permeate_flow: runs ? 0.8 * wander : 0,
      feed_tds: 320 * wander,
      permeate_tds: 16 * wander,
      pressure: 4.2 * wander,
      temperature: 15,
    }
    return { bssid, at: at + (index % 30_000), reading: { ...values, at: new Date(at).toISOString() } }
  })
}

/** Stores a reading of each device in batches as large as the store likes. */
async function storeRound(store: TelemetryStore, bssids: readonly string[], round: number, start: number) {
  const at = start + round * interval
  const readings = readingsAt(bssids, round, at)
  for (let from = 0; from < readings.length; from += store.maxBatch) {
    const part = readings.slice(from, from + store.maxBatch)
    const received = new Map(part.map(each => [each.bssid, each.at]))
    await store.write({ id: newId(), storedAt: at, readings: part, received })
  }
}

const folderBytes = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .reduce((bytes, entry) => bytes + statSync(join(entry.parentPath, entry.name)).size, 0)

async function postgresBytes(db: Database): Promise<{ readonly wal: number; readonly disk: number }> {
  const { rows } = await db.execute<{ wal: number; disk: number }>(sql`
    select (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as wal, pg_database_size(current_database())::float8 as disk`)
  return rows[0]!
}

interface Place {
  readonly name: string
  readonly db: Database
  readonly store: TelemetryStore
  /** The database beside PostgreSQL. */
  readonly beside?: { readonly folder: string }
}

async function measurePlace({ name, db, store, beside }: Place): Promise<void> {
  progress(`${name} …`)
  const rows = await db.select({ bssid: devices.bssid }).from(devices).orderBy(asc(devices.bssid))
  const bssids = rows.map(({ bssid }) => bssid)
  const start = Math.floor(Date.now() / msPerHour) * msPerHour
  await store.prepare(start, never)
  for (let round = 0; round < warmUp; round++) await storeRound(store, bssids, round, start)
  await db.execute(sql`checkpoint`)
  const used = () => ({
    own: process.cpuUsage(),
    postgres: secondsOfMatching(process.pid, /postgres/),
    beside: secondsOfMatching(process.pid, /clickhouse/),
    disk: beside ? folderBytes(join(beside.folder, 'data')) : 0,
  })
  const [before, bytes] = [used(), await postgresBytes(db)]
  const began = performance.now()
  for (let round = warmUp; round < warmUp + rounds; round++) await storeRound(store, bssids, round, start)
  const seconds = (performance.now() - began) / 1000
  const own = process.cpuUsage(before.own)
  // Sums of all that was stored.
  await store.prepare(start + 2 * msPerHour, never)
  if (beside) await wait(settleTime)
  const [after, bytesAfter] = [used(), await postgresBytes(db)]
  const count = rounds * bssids.length
  const each = (total: number) => [total / count]
  report(
    figure(`readings stored one batch after the other, ${name}`, 'a second', [count / seconds], null),
    figure(`processor time of the server's store, ${name}`, 'µs a reading', each(own.user + own.system), null),
    figure(
      `processor time of PostgreSQL, ${name}`,
      'µs a reading',
      each((after.postgres - before.postgres) * 1e6),
      null,
    ),
    figure(`write-ahead log, ${name}`, 'bytes a reading', each(bytesAfter.wal - bytes.wal), null),
    figure(`disk in PostgreSQL, ${name}`, 'bytes a reading', each(bytesAfter.disk - bytes.disk), null),
  )
  if (beside)
    report(
      figure('processor time of ClickHouse', 'µs a reading', each((after.beside - before.beside) * 1e6), null),
      figure('disk in ClickHouse', 'bytes a reading', each(after.disk - before.disk), null),
    )
}

async function measure(bench: Bench): Promise<void> {
  const inPostgres = await openOwnDatabase(bench, fleet)
  await measurePlace({ name: 'in PostgreSQL', db: inPostgres, store: openPostgresTelemetry(inPostgres) })
  if (executable('clickhouse') === undefined) return
  const clickHouse = await launchClickHouse()
  bench.after(clickHouse.remove)
  const db = await openOwnDatabase(bench, fleet)
  await db.update(telemetryState).set({ place: 'clickhouse' })
  const store = await openClickHouseTelemetry(db, readTelemetryUrl(clickHouse.url)!, new Date())
  bench.after(store.close)
  await measurePlace({ name: 'in ClickHouse', db, store, beside: clickHouse })
}

export const telemetryCostPart: LongPart = { limit: 10 * 60_000, measure }
