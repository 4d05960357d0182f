/** A temporary PostgreSQL, as tests and benchmarks use it: the embedded one, on a port. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { findBinaries } from '../../server/embedded/binaries.ts'
import { startCluster } from '../../server/embedded/cluster.ts'
import { initialise } from '../../server/embedded/initialise.ts'
import { databaseUser } from '../../server/embedded/osUser.ts'
import { withoutDisk } from '../../server/embedded/settings.ts'
import { choosePort } from '../../server/embedded/sockets.ts'
import { freePort } from './ports.ts'
import { scratchParent } from './scratch.ts'

export interface Postgres {
  /** The URL of its database `postgres`. */
  readonly url: string
  /** The id of its main process. */
  readonly process: number
  stop(): Promise<void>
}

/** Starts a PostgreSQL in a new folder; stopping it removes the folder. `durable`: commits are written to disk. */
export async function startPostgres({ durable }: { durable: boolean }): Promise<Postgres> {
  const parent = await mkdtemp(join(durable ? tmpdir() : scratchParent(), 'permeate-postgres-'))
  const folder = join(parent, 'postgres')
  const user = databaseUser(folder)
  const binaries = await findBinaries(user)
  await initialise(folder, { binaries, user, sync: durable })
  const listening = await choosePort(await freePort())
  const log = { info: () => undefined, error: (text: string, error: unknown) => console.error(text, error) }
  // Several servers and test files use it at the same time, and connections of killed servers stay for a while.
  const overrides = ['max_connections=400', ...(durable ? [] : withoutDisk)]
  const cluster = await startCluster({ folder, binaries, user, log, listening, overrides })
  const { user: role, password, host, port } = cluster.connection
  return {
    url: `postgres://${role}:${password}@${host}:${port}/postgres`,
    process: cluster.pid(),
    stop: async () => {
      await cluster.stop()
      await rm(parent, { recursive: true, force: true })
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
