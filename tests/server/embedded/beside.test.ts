/** `npm run device`, `backup` and `restore` on an embedded database, while its server runs and without it. */
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { openBus } from '../../../server/bus/openBus.ts'
import { secondFactors } from '../../../server/db/schema/secondFactors.ts'
import { postgresFolder } from '../../../server/embedded/layout.ts'
import { readPidFile } from '../../../server/embedded/pidFile.ts'
import { dataFolder, emptyFolder, openIn, postgresIn } from '../support/processes/dataFolder.ts'
import { runScript, type Script } from '../support/processes/runScript.ts'

/** Milliseconds: a command starts the database, and each takes seconds on a busy machine. */
const timeout = 120_000

/** Runs a command on the data folder, and returns its exit code and its errors. */
async function run(dataDir: string, script: Script, ...args: readonly string[]) {
  const { code, err } = await runScript(script, args, { DATA_DIR: dataDir, DATABASE_URL: '' })
  return { code, err }
}
const writePasswords = (dataDir: string) => run(dataDir, 'device', 'passwords')

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
  const [, has, needs] =
    /is of Permeate .* \(schema (\d+)\), and this is Permeate .* \(schema (\d+)\)/.exec(older.err) ?? []
  expect(Number(has)).toBe(Number(needs) - 1)
  await db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('last', 0)`)

  await close()
  expect(await writePasswords(dataDir)).toEqual({ code: 0, err: '' })
  expect(postgresIn(dataDir)).toBe(undefined)
})

test('a running server learns at once that a command has ended sessions', { timeout }, async () => {
  const dataDir = await dataFolder()
  const { db, connection } = await openIn(dataDir)
  await db.execute(sql`insert into accounts (id, role, login, password_hash) values ('a', 'admin', 'somebody', 'x')`)
  await db.insert(secondFactors).values({ account_id: 'a', key: 'x', key_id: 'x', confirmed_at: new Date() })
  const bus = await openBus({ databaseUrl: undefined, embedded: connection }, { info: () => {}, error: () => {} })
  onTestFinished(() => bus.close())
  const ended = new Promise<readonly string[]>(resolve =>
    bus.subscribe(event => {
      if (event.kind === 'accessEnded') resolve(event.accounts)
    }),
  )
  expect(await run(dataDir, 'second-factor', 'reset', 'somebody')).toMatchObject({ code: 0 })
  expect(await ended).toEqual(['a'])
})

test(
  'a backup is made beside a running server, and restored into another folder or without the server',
  { timeout },
  async () => {
    const dataDir = await dataFolder()
    const { db, close } = await openIn(dataDir)
    await db.execute(sql`insert into accounts (id, role, login, password_hash) values ('a', 'admin', 'somebody', 'x')`)
    const file = join(await emptyFolder(), 'backup')
    // As for a server with a folder for temporary files of its own.
    const { socketFolder } = readPidFile(postgresFolder(dataDir))!
    await rename(socketFolder, `${socketFolder}-hidden`)
    const made = await run(dataDir, 'backup', '--out', file)
    await rename(`${socketFolder}-hidden`, socketFolder)
    expect(made).toEqual({
      code: 0,
      err: expect.stringMatching(/^Backed up \d+ rows of \d+ tables as of .* to .*backup, /),
    })
    const refused = await run(dataDir, 'restore', '--replace', file)
    expect(refused).toEqual({ code: 1, err: expect.stringMatching(/^The data folder .* is in use by process/) })
    await close()

    const again = await run(dataDir, 'restore', file)
    expect(again).toEqual({ code: 1, err: expect.stringMatching(/is unchanged: it is not empty/) })
    const other = await emptyFolder()
    expect(await run(other, 'restore', file)).toEqual({
      code: 0,
      err: expect.stringMatching(/^Restored the database in .* as of /),
    })
    const restored = await openIn(other)
    expect((await restored.db.execute(sql`select login from accounts`)).rows).toEqual([{ login: 'somebody' }])
  },
)

test.each<[Script, ...string[]]>([
  ['backup', '--out', '/nowhere/backup'],
  ['audit', 'verify'],
  ['second-factor', 'reset', 'somebody'],
  ['device', 'credentials'],
])('npm run %s creates no database in a folder without one', { timeout }, async (script, ...args) => {
  const dataDir = await emptyFolder()
  expect(await run(dataDir, script, ...args)).toEqual({
    code: 1,
    err: `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for the server.\n`,
  })
  expect(await readdir(dataDir)).toEqual([])
})
