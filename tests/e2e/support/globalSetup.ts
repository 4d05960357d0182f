import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfNeeded } from '../../../scripts/build.ts'
import { freePort } from '../../support/ports.ts'
import { createDatabase, startPostgres } from '../../support/postgres.ts'
import { startServer } from '../../support/programs.ts'

/** What a worker's server is a copy of. */
export interface Template {
  /** The folder with the fleet file. */
  readonly dataDir: string
  /** The URL of the PostgreSQL of all workers, and the name of the database to copy. */
  readonly postgres: string
  readonly database: string
}

/** Seeds the demo fleet once; every worker starts from a copy of it. */
export default async function globalSetup() {
  buildIfNeeded()
  const dataDir = await mkdtemp(join(tmpdir(), 'permeate-e2e-template-'))
  const postgres = await startPostgres({ durable: false })
  const remove = async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const database = 'template_of_workers'
    const databaseUrl = await createDatabase(postgres.url, database)
    const server = await startServer(dataDir, await freePort(), { devices: 0, databaseUrl })
    await server.stop()
    const template: Template = { dataDir, postgres: postgres.url, database }
    process.env.E2E_TEMPLATE = JSON.stringify(template)
  } catch (error) {
    await remove()
    throw error
  }
  return remove
}
