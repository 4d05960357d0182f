/** Creates the template that every test file copies: a migrated database with a small demo fleet. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { addressOf, openPostgres } from '../../../server/db/postgres.ts'
import { seedDemo } from '../../../server/demo/seed.ts'
import { createDatabase, dropDatabase, startPostgres } from '../../support/postgres.ts'
import { scratchParent } from '../../support/scratch.ts'

/** The database to copy, and the URL of its server. */
export interface Template {
  readonly server: string
  readonly database: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    template: Template
    /** The folder for data folders that tests copy. */
    dataTemplates: string
  }
}

const fleet = 120

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await postgresServer()
  const database = `permeate_test_${process.pid}`
  await seed(await createDatabase(url, database))
  project.provide('template', { server: url, database })
  const dataTemplates = await mkdtemp(join(scratchParent(), 'permeate-data-templates-'))
  // PostgreSQL reads folders in it as another user, if tests run as root.
  await chmod(dataTemplates, 0o755)
  project.provide('dataTemplates', dataTemplates)
  return async () => {
    await dropDatabase(url, database)
    await stop()
    await rm(dataTemplates, { recursive: true, force: true })
  }
}

async function seed(databaseUrl: string): Promise<void> {
  const { db, close } = await openPostgres(addressOf(databaseUrl))
  await seedDemo(db, { fleet })
  await close()
}

/** Returns the server of DATABASE_URL, or starts a temporary PostgreSQL. */
async function postgresServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.DATABASE_URL
  return given ? { url: given, stop: async () => undefined } : startPostgres({ durable: false })
}
