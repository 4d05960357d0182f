/** Migration 0040, which partitions the sums: those that a database has are kept, and new ones are written beside them. */
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { restoreBackup } from '../../../server/backup/restore.ts'
import { writeBackup } from '../../../server/backup/write.ts'
import { newId } from '../../../server/db/id.ts'
import { migrate, migrationFiles } from '../../../server/db/migrations.ts'
import { digest, listTables, textForm, type Query } from '../../../server/dump/tables.ts'
import { openPostgresTelemetry } from '../../../server/telemetry/postgres/store.ts'
import { createDatabase, dropDatabase } from '../../support/postgres.ts'
import { rollupAt } from '../support/devices/charts.ts'
import { temporaryFolder } from '../support/harness.ts'
import { day, hour, minute, readingAt } from '../support/devices/readingSamples.ts'

const migrationsBefore = migrationFiles().findIndex(({ name }) => name.startsWith('0040_'))
const sums = ['reading_ten_minutes', 'reading_hours', 'reading_days'] as const
const bssid = '00:00:00:00:00:01'
const start = Date.parse('2026-07-20T12:40:00Z')
const never = new AbortController().signal

/** Creates an empty database, which is dropped after the test. */
async function newDatabase() {
  const { server } = inject('template')
  const name = `permeate_divided_${newId().replaceAll('-', '')}`
  const connectionString = await createDatabase(server, name)
  const pool = new Pool({ connectionString })
  pool.on('error', () => undefined)
  onTestFinished(() => pool.end().then(() => dropDatabase(server, name)))
  const query: Query = async <Row>(text: string) => (await pool.query(text)).rows as Row[]
  return { connectionString, db: drizzle(pool), query }
}
type Opened = Awaited<ReturnType<typeof newDatabase>>

const partitions = async ({ query }: Opened) => {
  const rows = await query<{ name: string }>(`
    select inhrelid::regclass::text as name from pg_inherits join pg_class on oid = inhrelid
    where relkind = 'r' and inhparent <> 'readings'::regclass order by 1`)
  return rows.map(({ name }) => name)
}
/** Returns a digest of all sums of each kind. */
async function digests({ query }: Opened): Promise<string[]> {
  await query(textForm)
  const columns = (await listTables(query)).find(({ name }) => name.startsWith('public.reading_hours'))!.columns
  const keyed = { reading_ten_minutes: columns, reading_hours: columns, reading_days: ['zone', ...columns] }
  return Promise.all(sums.map(name => digest(query, { name, columns: keyed[name] })))
}

/** Creates a database as the version before left it, with sums of two months and the readings of an hour that is not summed. */
async function oldDatabase(): Promise<Opened> {
  const opened = await newDatabase()
  const { db, query } = opened
  await migrate(db, migrationsBefore)
  await query(`insert into accounts (id, role, login, password_hash) values ('v', 'vendor', 'v', '')`)
  await query(`insert into device_models (id, platform, name, capabilities, bypass_flow_rates)
    values ('m', 'p', 'm', '{}', '{}')`)
  await query(`insert into devices (bssid, platform, model_id, vendor_id) values ('${bssid}', 'p', 'm', 'v')`)
  const key = `'${bssid}', at, 10, 5, 2, at + interval '1 second'`
  const columns = 'readings, feed, permeate, flow_at'
  const times = (step: string) => `generate_series(timestamptz '2026-05-20Z', '2026-07-20T10:50Z', '${step}') as at`
  await query(`insert into reading_ten_minutes (bssid, at, ${columns}) select ${key} from ${times('10 minutes')}`)
  await query(`insert into reading_hours (bssid, at, ${columns}) select ${key} from ${times('1 hour')}`)
  await query(`insert into reading_days (zone, bssid, at, ${columns}) select 'UTC', ${key} from ${times('1 day')}`)
  await query(`create table readings_20260720 partition of readings for values from ('2026-07-20Z') to ('2026-07-21Z')`)
  await query(`insert into readings (bssid, at, feed, permeate) values ('${bssid}', '2026-07-20T11:15Z', 3, 1)`)
  await query(`update device_twins set summed_until = '2026-07-20T11:00Z', last_reading_at = '2026-07-20T11:15Z'`)
  return opened
}
const hoursFrom = ({ query }: Opened, from: string) =>
  query(`select at::text as at, feed from reading_hours where at >= '${from}' order by at`)

test('every earlier sum is kept, and new ones are written, added to, and dropped', async () => {
  const old = await oldDatabase()
  const { db, query } = old
  const before = await digests(old)
  await migrate(db)
  expect(await digests(old)).toEqual(before)
  expect(await partitions(old)).toEqual(sums.map(name => `${name}_earlier`).toSorted())

  // What was not summed is, and what comes late is added to earlier sums.
  const telemetry = openPostgresTelemetry(db)
  await query(textForm)
  await telemetry.prepare(start, never)
  const late = start - 2.5 * hour
  const write = (at: number, now: number) =>
    telemetry.write({
      id: newId(),
      storedAt: now,
      readings: [{ bssid, at, reading: readingAt(at, { feed: 7 }) }],
      received: new Map([[bssid, now]]),
    })
  await write(late, start)
  expect(await hoursFrom(old, '2026-07-20T09:00Z')).toEqual([
    { at: '2026-07-20 09:00:00+00', feed: 5 },
    { at: '2026-07-20 10:00:00+00', feed: 12 },
    { at: '2026-07-20 11:00:00+00', feed: 3 },
  ])
  // The partition with the earlier sums ends with its week, after which there are others.
  const later = start + 40 * day
  await write(later, later)
  await telemetry.prepare(later + 2 * hour, never)
  await telemetry.importRollups(db, 'day', [rollupAt(bssid, '2024-03-10T00:00:00Z', 100)])
  expect(await hoursFrom(old, '2026-08-01Z')).toEqual([{ at: '2026-08-29 12:00:00+00', feed: 7 }])
  const policy = { rawDays: 30, tenMinuteDays: 365 }
  const count = async () => (await query<{ n: number }>('select count(*)::integer as n from reading_ten_minutes'))[0]!.n
  const all = await count()
  await telemetry.retain(start + 365 * day, policy, never)
  expect(await count()).toBe(all)
  await telemetry.retain(start + 372 * day, policy, never)
  expect(await count()).toBe(1)
  expect(await partitions(old)).not.toContain('reading_ten_minutes_earlier')
  expect(await partitions(old)).toContain('reading_hours_earlier')
})

test('a new database has no table for earlier sums', async () => {
  const created = await newDatabase()
  await migrate(created.db)
  expect(await partitions(created)).toEqual([])
  await openPostgresTelemetry(created.db).prepare(start, never)
  expect(await partitions(created)).toEqual(['reading_hours_20260706', 'reading_ten_minutes_20260716'])
})

test('a newest sum in the future is kept too', async () => {
  const old = await oldDatabase()
  await old.query(`insert into reading_hours (bssid, at) values ('${bssid}', '2031-01-01T00:00Z')`)
  const before = await digests(old)
  await migrate(old.db)
  expect(await digests(old)).toEqual(before)
})

test('backups from before and after the migration are restored', async () => {
  const old = await oldDatabase()
  const folder = await temporaryFolder()
  const restored = async (name: string) => {
    await writeBackup({ connectionString: old.connectionString }, `${folder}/${name}`)
    const target = await newDatabase()
    await restoreBackup({ connectionString: target.connectionString }, `${folder}/${name}`)
    expect(await digests(target)).toEqual(await digests(old))
    return target
  }
  expect(await partitions(await restored('before'))).toEqual(sums.map(name => `${name}_earlier`).toSorted())
  await migrate(old.db)
  await openPostgresTelemetry(old.db).prepare(start + 40 * day, never)
  const after = await restored('after')
  expect(await partitions(after)).toEqual(await partitions(old))
  // Partitions go on where those of the backup end.
  await openPostgresTelemetry(after.db).prepare(start + 80 * day + minute, never)
  expect((await partitions(after)).length).toBeGreaterThan((await partitions(old)).length)
})
