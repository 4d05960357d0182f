/** Backups of a database that is written to, and their restoration, whole or not at all. */
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, type ClientConfig } from 'pg'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { restoreBackup } from '../../../server/backup/restore.ts'
import { writeBackup } from '../../../server/backup/write.ts'
import { newId } from '../../../server/db/id.ts'
import { knownMigrations, migrate } from '../../../server/db/migrations.ts'
import { openDropCounter } from '../../../server/devices/gateway/rateLimit.ts'
import { dayNumber, openPartitions, partitionOf } from '../../../server/telemetry/postgres/partitions.ts'
import { openIngest } from '../../../server/devices/ingest/readings.ts'
import { openHealthSums } from '../../../server/devices/ingest/healthSums.ts'
import { openUnsynced } from '../../../server/devices/ingest/unsynced.ts'
import { digest, listTables, textForm, type Query } from '../../../server/dump/tables.ts'
import { createDatabase, dropDatabase, runStatement } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'
import { startServer, temporaryFolder, type TestServer } from '../support/harness.ts'
import { recordedLog } from '../support/processes/dataFolder.ts'
import { reading } from '../support/devices/testDevice.ts'

/** Milliseconds. */
const day = 86_400_000
/** SQL: other tests use other databases of the same PostgreSQL. */
const inThisDatabase = 'database = (select oid from pg_database where datname = current_database())'

let server: TestServer
let folder: string
/** The bytes of a backup of the server's database. */
let whole: Buffer

/** Creates a database, which is dropped after the test: empty, or a copy of the template. */
async function newDatabase(template?: string): Promise<ClientConfig> {
  const { server: url } = inject('template')
  const name = `permeate_restored_${newId().replaceAll('-', '')}`
  const connectionString = await createDatabase(url, name, template)
  onTestFinished(() => dropDatabase(url, name))
  return { connectionString }
}

async function connect(connection: ClientConfig) {
  const client = new Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  const query: Query = async <Row>(text: string) => (await client.query(text)).rows as Row[]
  return { client, query }
}

/** Returns the digests of all tables. */
async function digests(connection: ClientConfig): Promise<Record<string, string>> {
  const { query } = await connect(connection)
  await query(textForm)
  const found: Record<string, string> = {}
  for (const table of await listTables(query)) found[table.name] = await digest(query, table)
  return found
}

const readAudit = (query: Query) => query<{ action: string; outcome: string }>('select * from audit order by id')

const backupOf = (connection: ClientConfig, name: string) => writeBackup(connection, join(folder, name))
const source = (): ClientConfig => ({ connectionString: server.databaseUrl })

beforeAll(async () => {
  server = await startServer()
  folder = await temporaryFolder()
  await server.signIn('admin')
  await backupOf(source(), 'whole')
  whole = await readFile(join(folder, 'whole'))
})

/** Writes a backup with other contents. */
async function altered(name: string, change: (text: string) => string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, zstdCompressSync(change(zstdDecompressSync(whole).toString())))
  return path
}

test('a backup is private, complete, and restored with the same rows', async () => {
  expect((await stat(join(folder, 'whole'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['whole'])
  const target = await newDatabase()
  const header = await restoreBackup(target, join(folder, 'whole'))
  expect(header.schema).toBe(knownMigrations())
  const { query } = await connect(target)
  // The audit log has all entries and one more, of the restore.
  const others = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('public.audit')))
  expect(others(await digests(target))).toEqual(others(await digests(source())))
  const restored = await readAudit(query)
  expect(restored.slice(0, -1)).toEqual(await readAudit((await connect(source())).query))
  expect(restored.at(-1)).toMatchObject({ action: 'npm run restore', outcome: 'done' })

  // Sequences go on, and references and triggers work.
  const [last] = await query<{ id: number }>('select max(id)::integer as id from audit')
  await query(`insert into audit (at, action, ids, "values", address, outcome, status, message)
    values (now(), 'POST /x', '{}', '{}', '::1', 'done', 200, '')`)
  expect(await query('select max(id)::integer as id from audit')).toEqual([{ id: last!.id + 1 }])
  await expect(query('delete from audit')).rejects.toThrow('audit')
  await expect(query('delete from device_models')).rejects.toThrow('foreign key')
  await query('delete from devices')
  expect(await query('select count(*)::integer as count from forgotten_devices')).toEqual([{ count: 120 }])
})

test('a backup under writes shows one moment, and holds up neither readings nor new days', async () => {
  const { db, telemetry, bus, alarms, clock } = server
  const log = { info: () => undefined, error: () => undefined }
  const drops = openDropCounter({ log })
  const ingest = openIngest({
    db,
    telemetry,
    healthSums: openHealthSums({ db, log, now: clock.now }),
    bus,
    log,
    now: clock.now,
    alarms,
    drops,
    unsynced: openUnsynced(),
    rawDays: 30,
  })
  const partitions = openPartitions(db)
  const { query } = await connect(source())
  const bssids = (await query<{ bssid: string }>('select bssid from devices limit 40')).map(({ bssid }) => bssid)
  let acknowledged = 0
  let isWriting = true
  const start = clock.now().getTime() - day / 2
  const writer = async (bssid: string) => {
    for (let n = 0; isWriting; n++) {
      await ingest.add(bssid, [reading(new Date(start + n * 1000))])
      acknowledged++
    }
  }
  const writers = bssids.map(writer)
  await until(() => expect(acknowledged).toBeGreaterThan(100))

  // The backup has its moment, and waits for a table that readings do not need.
  const { query: blocker } = await connect(source())
  await blocker('begin; lock table upkeep_tasks in access exclusive mode')
  const before = acknowledged
  const running = backupOf(source(), 'under-load')
  await until(async () =>
    expect(
      await query(
        `select from pg_locks where relation = 'upkeep_tasks'::regclass and not granted and ${inThisDatabase}`,
      ),
    ).toHaveLength(1),
  )
  const during = acknowledged
  await until(() => expect(acknowledged).toBeGreaterThan(during + 200))
  const old = dayNumber(clock.now().getTime() - 20 * day)
  for (const table of ['readings', 'reading_ten_minutes'] as const) {
    await partitions.ensure([table], [old])
    await partitions.dropBefore(table, clock.now().getTime() + 8 * day)
    expect(await query(`select from pg_class where relname = '${partitionOf(table, old)}'`)).toHaveLength(1)
  }
  await blocker('commit')
  await running
  isWriting = false
  await Promise.all(writers)
  await ingest.close()
  drops.close()

  const target = await newDatabase()
  await restoreBackup(target, join(folder, 'under-load'))
  const { query: restored } = await connect(target)
  const [sums] = await restored<Record<string, number>>(`
    select count(*)::integer as readings,
      (select coalesce(sum(readings), 0)::integer from reading_ten_minutes where at >= to_timestamp(${start / 1000 - 600}))
        + (select count(*)::integer from readings join device_twins using (bssid)
          where at >= coalesce(summed_until, '-infinity')) as counted,
      (select count(*)::integer from device_values as shown join device_twins as twin using (bssid) join
        (select bssid, sum(feed::float8) as feed from readings group by bssid) as read using (bssid)
        where abs(twin.feed - shown.feed - read.feed) > 0.001) as wrong
    from readings`)
  expect(sums!.readings).toBeGreaterThanOrEqual(before)
  expect(sums!.readings).toBeLessThanOrEqual(during + bssids.length)
  expect(sums).toMatchObject({ counted: sums!.readings, wrong: 0 })

  for (const table of ['readings', 'reading_ten_minutes'] as const) {
    await partitions.dropBefore(table, clock.now().getTime() - 12 * day)
    expect(await query(`select from pg_class where relname = '${partitionOf(table, old)}'`)).toHaveLength(0)
  }
})

test('a backup that is stopped or fails leaves no file', async () => {
  const stop = new AbortController()
  const { query } = await connect(source())
  await query('begin; lock table upkeep_tasks in access exclusive mode')
  const stopped = writeBackup(source(), join(folder, 'stopped'), stop.signal)
  stopped.catch(() => undefined)
  stop.abort()
  await query('rollback')
  await expect(stopped).rejects.toThrow('aborted')
  await expect(backupOf(await newDatabase(), 'empty')).rejects.toThrow('it is empty')
  await expect(backupOf(source(), 'no-folder/file')).rejects.toThrow('ENOENT')
  expect((await readdir(folder)).filter(name => /stopped|empty/.test(name))).toEqual([])
})

test('what cannot be restored leaves the database as it was', { timeout: 120_000 }, async () => {
  const target = await newDatabase(inject('template').database)
  const before = await digests(target)
  const restore = (path: string) => restoreBackup(target, path, { replace: true })
  const write = async (name: string, content: Buffer | string) => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }
  const middle = Math.floor(whole.length / 2)
  const flipped = (at: number) => {
    const content = Buffer.from(whole)
    content[at] = content[at]! ^ 0xff
    return content
  }
  const injected = JSON.stringify({ name: 'x', of: 'readings; drop table accounts', bounds: 'DEFAULT' })
  const failures: readonly (readonly [string, RegExp])[] = [
    [await write('text', 'select 1'), /none of Permeate/],
    [await write('nothing', ''), /cut short/],
    [await write('flipped-early', flipped(Math.floor(middle / 2))), /damaged/],
    [await write('flipped-middle', flipped(middle)), /damaged/],
    [await write('flipped-late', flipped(whole.length - 100)), /damaged/],
    [await write('half', whole.subarray(0, middle)), /cut short/],
    [await altered('end-missing', text => text.replace(/\{"tables":\d+\}\n$/, '')), /cut short/],
    [
      await altered('changed', text => text.replace('\tvendor2\t', '\tnobody\t')),
      /is damaged: the copy of public.accounts differs/,
    ],
    [
      await altered('row-missing', text => text.replace(/(\{"name":"public.devices".*\n).*\n/, '$1')),
      /devices differs/,
    ],
    [
      await altered('newer', text => text.replace(/"schema":\d+/, '"schema":9999')),
      /schema 9999\), and this is the older Permeate/,
    ],
    [await altered('format', text => text.replace('"version":1', '"version":2')), /has the format 2/],
    [await altered('sql', text => text.replace('"partitions":[]', `"partitions":[${injected}]`)), /is damaged/],
  ]
  for (const [path, message] of failures) await expect(restore(path), path).rejects.toThrow(message)
  expect(await digests(target)).toEqual(before)
})

test('only an unused database of its own is restored into, unless it is to be replaced', async () => {
  const path = join(folder, 'whole')
  await expect(restoreBackup(source(), path, { replace: true })).rejects.toThrow('a server is running on it')

  const used = await newDatabase(inject('template').database)
  await expect(restoreBackup(used, path)).rejects.toThrow('it is not empty')
  await restoreBackup(used, path, { replace: true })
  expect((await digests(used))['public.sessions']).toBe((await digests(source()))['public.sessions'])

  const foreign = await newDatabase()
  await runStatement(foreign.connectionString!, 'create table theirs (id integer)')
  await expect(restoreBackup(foreign, path, { replace: true })).rejects.toThrow('tables of another program')
})

test('a restore that is cut off leaves the database as it was', async () => {
  const used = await newDatabase(inject('template').database)
  const before = await digests(used)
  const { query } = await connect(used)
  // The restore has dropped its first tables when it waits for this one.
  await query('begin; select from upkeep_tasks')
  const cutOff = restoreBackup(used, join(folder, 'whole'), { replace: true })
  const ended = cutOff.catch((error: unknown) => error)
  const waiting = await until(async () => {
    const found = await query<{ pid: number }>(`select pid from pg_locks where not granted and ${inThisDatabase}`)
    expect(found).toHaveLength(1)
    return found[0]!.pid
  })
  await query(`select pg_terminate_backend(${waiting})`)
  expect(await ended).toBeInstanceOf(Error)
  await query('commit')
  expect(await digests(used)).toEqual(before)
})

test('a restore that is cut off after its commit is done, and says what it lacks', async () => {
  const used = await newDatabase(inject('template').database)
  const { query } = await connect(used)
  // Held up by this lock are neither reads nor writes, but the statistics.
  await query('begin; lock table pg_ts_dict in share update exclusive mode')
  const log = recordedLog()
  const restored = restoreBackup(used, join(folder, 'whole'), { replace: true, log })
  const waiting = await until(async () => {
    const found = await query<{ pid: number }>(`select pid from pg_locks where not granted and ${inThisDatabase}`)
    expect(found).toHaveLength(1)
    return found[0]!.pid
  })
  await query(`select pg_terminate_backend(${waiting})`)
  expect(await restored).toMatchObject({ schema: knownMigrations() })
  expect(log.lines).toEqual([expect.stringMatching(/^The database is restored, but without statistics/)])
  await query('commit')
  expect((await digests(used))['public.sessions']).toBe((await digests(source()))['public.sessions'])
})

test('a backup of an earlier version gets the migrations that it lacks', async () => {
  const earlier = await newDatabase()
  const { client } = await connect(earlier)
  await migrate(drizzle(client), 5)
  await client.query(`insert into accounts (id, role, login, password_hash) values ('a', 'admin', 'old', 'x')`)
  expect((await backupOf(earlier, 'earlier')).header.schema).toBe(5)
  const target = await newDatabase(inject('template').database)
  await restoreBackup(target, join(folder, 'earlier'), { replace: true })
  const { query } = await connect(target)
  expect(await query('select login from accounts')).toEqual([{ login: 'old' }])
  expect(await query('select count(*)::integer as count from drizzle.__drizzle_migrations')).toEqual([
    { count: knownMigrations() },
  ])
})
