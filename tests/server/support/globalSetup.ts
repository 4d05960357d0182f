/** Creates the template that every test file copies: a migrated database with a small demo fleet. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { open } from '../../../server/db/database.ts'
import { seedDemo } from '../../../server/demo/seed.ts'
import { createDatabase, dropDatabase, startPostgres } from '../../support/postgres.ts'

/** The location of the template: a data folder, or a database on a server. */
export type Template =
  | { readonly kind: 'pglite'; readonly dataDir: string }
  | { readonly kind: 'postgres'; readonly server: string; readonly database: string }

declare module 'vitest' {
  export interface ProvidedContext {
    template: Template
  }
}

const fleet = 120

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (project.config.env.TEST_DATABASE === 'pglite') {
    const dataDir = await mkdtemp(join(tmpdir(), 'permeate-test-'))
    await seed({ databaseUrl: undefined, dataDir })
    project.provide('template', { kind: 'pglite', dataDir })
    return () => rm(dataDir, { recursive: true, force: true })
  }
  const { url, stop } = await postgresServer()
  const database = `permeate_test_${process.pid}`
  await seed({ databaseUrl: await createDatabase(url, database), dataDir: '' })
  project.provide('template', { kind: 'postgres', server: url, database })
  return async () => {
    await dropDatabase(url, database)
    await stop()
  }
}

async function seed(where: Parameters<typeof open>[0]): Promise<void> {
  const { db, close } = await open(where)
  await seedDemo(db, { fleet })
  await close()
}

/** Returns the server of DATABASE_URL, or starts a temporary PostgreSQL. */
async function postgresServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.DATABASE_URL
  return given ? { url: given, stop: async () => undefined } : startPostgres({ durable: false })
}
