/** A PGlite database of an earlier version becomes a PostgreSQL database at the first start: whole, or not at all. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { root } from '../../../scripts/programs.ts'
import type { Database } from '../../../server/db/database.ts'
import { openPglite } from '../../../server/db/pglite.ts'
import { seedDemo } from '../../../server/demo/seed.ts'
import { alwaysThere } from '../../../server/db/state.ts'
import { openPostgresTelemetry } from '../../../server/telemetry/postgres/store.ts'
import { startHistory } from '../../../server/demo/history.ts'
import { pgliteFolder, postgresFolder, unfinishedFolder } from '../../../server/embedded/layout.ts'
import { readPidFile } from '../../../server/embedded/pidFile.ts'
import { FolderInUse } from '../../../server/core/folderLock.ts'
import { scratchParent } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'
import { emptyFolder, isRunning, openIn, postgresIn, recordedLog } from '../support/processes/dataFolder.ts'

/** Milliseconds: PGlite and PostgreSQL are started several times. */
const timeout = 180_000

/** Enough for each table and column to have a value. */
const fleet = 20
const difficult = 'tab\t, line\nfeed, \\N, \\., “quotes”, ünïcödé, 💧'

let old: string
/** What the database contains, as text. */
let contents: Record<string, unknown>

const addEntry = sql`insert into audit (at, action, ids, "values", address, outcome, status, message)
  values (now(), 'POST /x', array['a', null, 'b,"c'], '{"nested": {"text": "\\\\t"}}', '::1', 'done', 200, '')`

const queries: Readonly<Record<string, SQL>> = {
  devices: sql`select bssid, description, description_key, created_at::text as at from devices order by bssid`,
  values: sql`select * from device_values order by bssid`,
  accounts: sql`select login, role, password_hash from accounts order by login`,
  rollups: sql`select count(*)::integer as count, max(bssid) as last from reading_hours`,
  partitions: sql`select inhrelid::regclass::text as name from pg_inherits join pg_class on oid = inhrelid
    where relkind = 'r' order by 1`,
  readings: sql`select bssid, at::text as at, feed, permeate, temperature from readings`,
  counts: sql`select * from device_counts order by 1, 2`,
  audit: sql`select id::integer as id, ids, "values" from audit order by id`,
}

async function read(db: Database): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [name, query] of Object.entries(queries)) found[name] = (await db.execute(query)).rows
  return found
}

beforeAll(async () => {
  old = await mkdtemp(join(scratchParent(), 'permeate-pglite-'))
  const { db, close } = await openPglite(pgliteFolder(old))
  await seedDemo(db, { fleet })
  const log = recordedLog()
  const history = startHistory({
    db,
    telemetry: openPostgresTelemetry(db),
    database: alwaysThere,
    log,
    fleet,
    days: 3,
  })
  await history.done
  await history.close()
  await db.execute(sql`update devices set description = ${difficult} where bssid = (select min(bssid) from devices)`)
  await db.execute(sql`create table readings_of_a_day partition of readings
    for values from ('2026-01-01T00:00Z') to ('2026-01-02T00:00Z')`)
  await db.execute(sql`insert into readings (bssid, at, feed, permeate, temperature)
    select min(bssid), '2026-01-01T12:00Z', 0.1, 0.07, 21.3 from devices`)
  await db.execute(addEntry)
  contents = await read(db)
  await close()
}, timeout)
afterAll(() => rm(old, { recursive: true, force: true }))

async function copyOfOld(): Promise<string> {
  const dataDir = await emptyFolder()
  await cp(old, dataDir, { recursive: true })
  return dataDir
}

test('everything is carried over, and the old folder is kept', { timeout }, async () => {
  const dataDir = await copyOfOld()
  const log = recordedLog()
  const first = await openIn(dataDir, { log })
  expect(log.lines).toEqual([
    expect.stringMatching(/^Carrying the database in .*database over to PostgreSQL …$/),
    expect.stringMatching(/^Carried over\. .*database is no longer used; delete it/),
  ])
  expect(await read(first.db)).toEqual(contents)
  expect((await first.db.execute(sql`select version() like 'PostgreSQL 18%' as real`)).rows).toEqual([{ real: true }])

  // Sequences go on, and the triggers work.
  await first.db.execute(addEntry)
  expect((await first.db.execute(sql`select id::integer as id from audit order by id`)).rows).toEqual([
    { id: 1 },
    { id: 2 },
  ])
  await expect(first.db.execute(sql`delete from audit`)).rejects.toThrow('delete from audit')
  await first.db.execute(sql`delete from devices where bssid = (select min(bssid) from devices)`)
  await first.close()

  const again = recordedLog()
  const second = await openIn(dataDir, { log: again })
  expect(again.lines).toEqual([])
  expect((await second.db.execute(sql`select count(*)::integer as count from devices`)).rows).toEqual([
    { count: fleet - 1 },
  ])
  const kept = await openPglite(pgliteFolder(dataDir))
  onTestFinished(kept.close)
  expect(await read(kept.db)).toEqual(contents)
})

test('a carry-over that fails or is killed leaves nothing, and the next start begins anew', { timeout }, async () => {
  const dataDir = await copyOfOld()
  const before = await openPglite(pgliteFolder(dataDir))
  await before.db.execute(sql`create table unknown_to_permeate (id integer)`)
  await before.close()
  await expect(openIn(dataDir)).rejects.toThrow(
    /^Could not carry the database in .* over to PostgreSQL; it is unchanged: .*unknown tables: public\.unknown_to_permeate/,
  )
  expect(existsSync(postgresFolder(dataDir))).toBe(false)
  expect(readPidFile(unfinishedFolder(dataDir))).toBe(undefined)
  const after = await openPglite(pgliteFolder(dataDir))
  await after.db.execute(sql`drop table unknown_to_permeate`)
  await after.close()

  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', PORT: '0', MQTT_PORT: '0' },
    stdio: 'ignore',
  })
  const exited = once(server, 'exit')
  // The PostgreSQL that initdb runs accepts no connections; only that of the carry-over becomes ready.
  await until(() => expect(readPidFile(unfinishedFolder(dataDir))?.ready).toBe(true), { timeout: 60_000 })
  server.kill('SIGKILL')
  await exited
  expect(existsSync(postgresFolder(dataDir))).toBe(false)
  const carried = await openIn(dataDir)
  expect(await read(carried.db)).toEqual(contents)
  expect(isRunning(postgresIn(dataDir)!)).toBe(true)
})

test('a running server of an earlier version is not disturbed', { timeout }, async () => {
  const dataDir = await copyOfOld()
  writeFileSync(join(dataDir, 'permeate.lock'), String(process.ppid))
  await expect(openIn(dataDir)).rejects.toThrow(FolderInUse)
  await expect(openIn(dataDir, { kind: 'pglite' })).rejects.toThrow(FolderInUse)
  expect(existsSync(postgresFolder(dataDir))).toBe(false)
})
