/** Restores a backup into a PostgreSQL database: whole, or not at all. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, type ClientConfig } from 'pg'
import type { Log } from '../core/log.ts'
import { version } from '../core/version.ts'
import { backupLock, migrationLock, serverLock } from '../db/advisoryLocks.ts'
import { DatabaseError, rootCause } from '../db/databaseError.ts'
import { recordCommand } from '../audit/commands.ts'
import { knownMigrations, migrate } from '../db/migrations.ts'
import { sqlState } from '../db/retry.ts'
import { load, WrongContents, type TableContent } from '../dump/load.ts'
import { textForm, type Query } from '../dump/tables.ts'
import { dropContents, readUse } from './emptying.ts'
import { AnyHeader, formatVersion, Header, TableEnd, TableStartOrEnd } from './format.ts'
import { DamagedBackup, readSections, type Sections } from './sections.ts'

export interface RestoreOptions {
  /** Whether a database that is used is restored into, too; its contents are dropped. */
  readonly replace?: boolean
  readonly signal?: AbortSignal
  /** Learns what a restored database lacks. */
  readonly log?: Log
}

/**
 * Restores a backup in one transaction, compares the digests of all tables, and runs the migrations that the backup does
 * not have.
 * @throws DatabaseError if the file is damaged or of a newer version, a server runs on the database, or it is used and
 * not to be replaced. The database is then as it was.
 */
export async function restoreBackup(
  connection: ClientConfig,
  path: string,
  { replace = false, signal, log }: RestoreOptions = {},
): Promise<Header> {
  const file = createReadStream(path, { signal })
  const decompressed = createZstdDecompress()
  file.on('error', error => decompressed.destroy(error))
  file.pipe(decompressed)
  const client = new Client(connection)
  // If the connection is lost, the query rejects too; without a listener the event would end the process.
  client.on('error', () => undefined)
  try {
    const sections = readSections(decompressed)
    const header = await readHeader(sections)
    await client.connect()
    await restoreInto(client, { header, sections, replace })
    // The restore is done, so this is no failure of it. PostgreSQL does the same by itself, after a while.
    await client.query('analyze').catch((error: unknown) => log?.error(noStatistics, error))
    return header
  } catch (error) {
    const damage = damageOf(error)
    throw damage === undefined ? error : new DatabaseError(`the backup ${damage}`)
  } finally {
    file.destroy()
    decompressed.destroy()
    // Ends its locks, and the transaction if it has failed.
    await client.end()
  }
}

const noStatistics =
  'The database is restored, but without statistics: lists are slow until PostgreSQL has them. Run `analyze` in it'

/** Returns how a backup is damaged, if an error says that. */
function damageOf(error: unknown): string | undefined {
  if (error instanceof DamagedBackup) return error.message
  if (/^(ZSTD_error|Z_|ERR_ZSTD)/.test(codeOf(error))) return 'is damaged or cut short'
  // A changed byte is often loaded before the decompressor reaches the checksum of its frame.
  if (error instanceof WrongContents) return `is damaged: ${error.message}`
  // PostgreSQL's classes of invalid values and violated constraints.
  return /^2[23]/.test(sqlState(error) ?? '') ? `is damaged: ${rootCause(error)}` : undefined
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

async function readHeader(sections: Sections): Promise<Header> {
  const first = await sections.line(AnyHeader).catch((error: unknown) => {
    const isOther = error instanceof DamagedBackup || codeOf(error) === 'ZSTD_error_prefix_unknown'
    throw isOther ? new DamagedBackup('is none of Permeate, or its beginning is damaged') : error
  })
  if (first.version > formatVersion)
    throw new DamagedBackup(
      `has the format ${first.version}, and Permeate ${version} reads only up to ${formatVersion}`,
    )
  const { data: header } = Header.safeParse(first)
  if (header === undefined) throw new DamagedBackup('is damaged')
  const known = knownMigrations()
  if (header.schema > known)
    throw new DamagedBackup(
      `is of Permeate ${header.program} (schema ${header.schema}), and this is the older Permeate ${version} ` +
        `(schema ${known}). Restore it with ${header.program} or a newer version`,
    )
  return header
}

interface Restore {
  readonly header: Header
  readonly sections: Sections
  readonly replace: boolean
}

async function restoreInto(client: Client, { header, sections, replace }: Restore): Promise<void> {
  const query: Query = async <Row>(text: string) => (await client.query(text)).rows as Row[]
  await lockOut(query)
  const use = await readUse(query)
  if (use === 'foreign') throw new DatabaseError('it has tables of another program. Use a database of its own')
  if (use === 'used' && !replace)
    throw new DatabaseError('it is not empty. Use an empty one, or --replace to delete what is in it')
  await query(textForm)
  await query('set statement_timeout = 0; set transaction_timeout = 0; set lock_timeout = 0')
  await drizzle(client).transaction(async tx => {
    await dropContents(query)
    // First the schema that the backup has.
    await migrate(tx, header.schema)
    await load(client, {
      partitions: header.partitions,
      tables: readTables(sections),
      sequences: async () => header.sequences,
    })
    await migrate(tx)
    await recordCommand(tx, {
      action: 'restore',
      ids: [],
      values: { taken_at: header.taken_at, replace },
      at: new Date(),
    })
  })
}

/** Keeps servers, backups and other restores away until the connection ends. @throws DatabaseError while there are any. */
async function lockOut(query: Query): Promise<void> {
  const holders = [
    [migrationLock, 'a server is starting on it, or another backup is being restored. Try again in a moment'],
    [backupLock, 'a backup of it is being made. Wait for its end'],
    [serverLock, 'a server is running on it. Stop all its servers first'],
  ] as const
  for (const [key, reason] of holders) {
    const [lock] = await query<{ free: boolean }>(`select pg_try_advisory_lock(${key}) as free`)
    if (!lock!.free) throw new DatabaseError(reason)
  }
}

async function* readTables(sections: Sections): AsyncGenerator<TableContent> {
  let tables = 0
  for (;;) {
    const next = await sections.line(TableStartOrEnd)
    if ('tables' in next) {
      if (next.tables !== tables) throw new DamagedBackup('is damaged')
      return sections.end()
    }
    yield {
      table: next,
      rows: Readable.from(sections.rows()),
      digest: async () => (await sections.line(TableEnd)).digest,
    }
    tables++
  }
}
