/** The files of the folder `migrations`, in the order in which they run. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'migrations')
/** A line between two statements of a file, as drizzle-kit writes it. */
const breakpoint = '--> statement-breakpoint'

export interface Migration {
  readonly statements: readonly string[]
  /** SHA-256 of the file, hexadecimal; kept with the database to tell what it has run. */
  readonly hash: string
}

/** Returns all migrations, the first one first. Their order is that of their file names. */
export function readMigrations(): readonly Migration[] {
  const names = readdirSync(folder).filter(name => name.endsWith('.sql'))
  return names.sort().map(name => {
    const text = readFileSync(join(folder, name), 'utf8')
    return { statements: text.split(breakpoint), hash: createHash('sha256').update(text).digest('hex') }
  })
}
