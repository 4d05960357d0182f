import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'

const folder = join(import.meta.dirname, 'migrations')
const breakpoint = '--> statement-breakpoint'

/**
 * Brings a database up to date: runs the files of the folder `migrations` that it has not run yet, in the order of their
 * names. The database keeps a row for each that it has; the table is the one in which drizzle-kit kept them before.
 */
export async function migrate(db: Pick<Database, 'execute' | 'transaction'>): Promise<void> {
  const files = readdirSync(folder)
    .filter(name => name.endsWith('.sql'))
    .sort()
  await db.execute(sql`create schema if not exists drizzle`)
  await db.execute(sql`create table if not exists drizzle.__drizzle_migrations
    (id serial primary key, hash text not null, created_at bigint)`)
  await db.transaction(async tx => {
    const { rows } = await tx.execute<{ applied: number }>(
      sql`select count(*)::integer as applied from drizzle.__drizzle_migrations`,
    )
    for (const file of files.slice(rows[0]!.applied)) {
      const text = readFileSync(join(folder, file), 'utf8')
      for (const statement of text.split(breakpoint)) await tx.execute(sql.raw(statement))
      const hash = createHash('sha256').update(text).digest('hex')
      await tx.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${Date.now()})`)
    }
  })
}
