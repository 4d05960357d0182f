/** `npm run device` on an embedded database, while its server runs and without it. */
import { execFile } from 'node:child_process'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { root } from '../../../scripts/programs.ts'
import { dataFolder, emptyFolder, openIn, postgresIn } from '../support/dataFolder.ts'

/** Milliseconds: a command starts the database, and each takes seconds on a busy machine. */
const timeout = 120_000

/** Runs the script on the data folder, and returns its exit code and its errors. */
const writePasswords = (dataDir: string) =>
  new Promise<{ code: unknown; err: string }>(resolve => {
    const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' }
    execFile(process.execPath, ['scripts/device.ts', 'passwords'], { cwd: root, env }, (error, _out, err) =>
      resolve({ code: error === null ? 0 : error.code, err }),
    )
  })

test('the command works beside a running server, and starts and stops it otherwise', { timeout }, async () => {
  const dataDir = await dataFolder()
  const { db, close } = await openIn(dataDir)
  const pid = postgresIn(dataDir)
  expect(await writePasswords(dataDir)).toEqual({ code: 0, err: '' })
  expect(postgresIn(dataDir)).toBe(pid)

  await db.execute(
    sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`,
  )
  const older = await writePasswords(dataDir)
  expect(older.code).toBe(1)
  expect(older.err).toMatch(/the running server is Permeate .* \(schema 5\), and this is Permeate .* \(schema 6\)/)
  await db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('last', 0)`)

  await close()
  expect(await writePasswords(dataDir)).toEqual({ code: 0, err: '' })
  expect(postgresIn(dataDir)).toBe(undefined)
})

test('the command does not open PGlite beside its server', { timeout }, async () => {
  const dataDir = await emptyFolder()
  await openIn(dataDir, { kind: 'pglite' })
  const refused = await writePasswords(dataDir)
  expect(refused.code).toBe(1)
  expect(refused.err).toMatch(/^The data folder .* is in use by process \d+ on .* Stop that process/)
})
