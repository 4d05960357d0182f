/** Reads the migrations: the SQL files of the folder `migrations`, in the order of their names. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'migrations')
/** The line between two statements of a file, as drizzle-kit writes it. */
const breakpoint = '--> statement-breakpoint'

export interface Migration {
  readonly statements: readonly string[]
  /** SHA-256 of the file, hexadecimal; stored with each applied migration. */
  readonly hash: string
}

/** Returns all migrations in order. */
export function readMigrations(): readonly Migration[] {
  const names = readdirSync(folder).filter(name => name.endsWith('.sql'))
  return names.sort().map(name => {
    const text = readFileSync(join(folder, name), 'utf8')
    return { statements: text.split(breakpoint), hash: createHash('sha256').update(text).digest('hex') }
  })
}
