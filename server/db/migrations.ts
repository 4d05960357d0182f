/** The migrations: the SQL files in the folder `migrations`, in the order of their names, whose numbers name their folders. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { version } from '../core/version.ts'
import { backupLock } from './advisoryLocks.ts'
import type { Database } from './database.ts'
import { DatabaseError } from './databaseError.ts'

const folder = join(import.meta.dirname, 'migrations')
/** The line between two statements of a file, as drizzle-kit writes it. */
const breakpoint = '--> statement-breakpoint'

interface Migration {
  readonly statements: readonly string[]
  /** SHA-256 of the file, hexadecimal; stored with each applied migration. */
  readonly hash: string
}

/** Returns the names of the files, such as `0013_device_values.sql`, in order, with their paths. */
export const migrationFiles = (): readonly { readonly name: string; readonly path: string }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.sql'))
    .map(path => ({ name: basename(path), path: join(folder, path) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))

const readMigrations = (): readonly Migration[] =>
  migrationFiles().map(({ path }) => {
    const text = readFileSync(path, 'utf8')
    return { statements: text.split(breakpoint), hash: createHash('sha256').update(text).digest('hex') }
  })

/** What a database says of its schema: how many migrations it has, and which version of the program ran the last. */
interface Applied {
  readonly count: number
  /** `null` for a database that has no migrations, or only ones of the versions that did not record theirs. */
  readonly program: string | null
}

/** Reads which migrations a database has, without changing it. */
async function readApplied(db: Database): Promise<Applied> {
  const { rows: columns } = await db.execute<{ name: string }>(sql`
    select attname as name from pg_attribute where attrelid = to_regclass('drizzle.__drizzle_migrations') and attnum > 0`)
  if (columns.length === 0) return { count: 0, program: null }
  const program = columns.some(({ name }) => name === 'program') ? sql`program` : sql`null::text`
  const { rows } = await db.execute<{ count: number; program: string | null }>(sql`
    select count(*)::integer as count, (array_agg(${program} order by id desc))[1] as program
    from drizzle.__drizzle_migrations`)
  return rows[0]!
}

function refuseNewer({ count, program }: Applied, known: number): void {
  if (count <= known) return
  throw new DatabaseError(
    `it was last used by ${program === null ? 'a newer version of Permeate' : `Permeate ${program}`} (schema ${count}), ` +
      `and this is the older Permeate ${version} (schema ${known}). Start ${program ?? 'that version'} or a newer one`,
  )
}

/**
 * Runs the pending migrations, or the first `count` of them, in one transaction. Applied ones are recorded in the table
 * of drizzle-orm's own migrator, which earlier versions used, so that their databases are upgraded too; the column
 * `program` says which version ran them.
 * @throws DatabaseError naming both versions if the database has more migrations than this version, which must not write
 * to a newer schema. The database is left unchanged.
 */
export async function migrate(db: Database, count = Infinity): Promise<void> {
  const migrations = readMigrations()
  await db.transaction(async tx => {
    const applied = await readApplied(tx)
    refuseNewer(applied, migrations.length)
    const pending = migrations.slice(applied.count, count)
    if (pending.length === 0) return
    // A backup reads tables that migrations change.
    await tx.execute(sql`select pg_advisory_xact_lock(${backupLock})`)
    await tx.execute(sql`create schema if not exists drizzle`)
    await tx.execute(sql`create table if not exists drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint)`)
    await tx.execute(sql`alter table drizzle.__drizzle_migrations add column if not exists program text`)
    for (const { statements, hash } of pending) {
      for (const statement of statements) await tx.execute(sql.raw(statement))
      await tx.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at, program)
        values (${hash}, ${Date.now()}, ${version})`)
    }
  })
}

/** Returns how many migrations this version has. */
export const knownMigrations = (): number => readMigrations().length

/** Returns how many migrations a database has. @throws DatabaseError if it has more than this version knows. */
export async function countMigrations(db: Database): Promise<number> {
  const applied = await readApplied(db)
  refuseNewer(applied, readMigrations().length)
  return applied.count
}

/**
 * Checks that a database has exactly this version's schema, for commands: only servers migrate.
 * @throws DatabaseError naming both versions.
 */
export async function requireCurrent(db: Database): Promise<void> {
  const known = readMigrations().length
  const applied = await readApplied(db)
  refuseNewer(applied, known)
  if (applied.count === 0) throw new DatabaseError('it is empty. Start a server on it first')
  if (applied.count < known)
    throw new DatabaseError(
      `it is of ${applied.program === null ? 'an older version of Permeate' : `Permeate ${applied.program}`} ` +
        `(schema ${applied.count}), and this is Permeate ${version} (schema ${known}). ` +
        'Start or restart the server with this version, which migrates it',
    )
}
