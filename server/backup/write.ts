/** Writes a backup of a PostgreSQL database while servers use it. */
import { createWriteStream, type WriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, type ClientConfig } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { renameDurably } from '../core/durableMove.ts'
import { version } from '../core/version.ts'
import { backupLock } from '../db/advisoryLocks.ts'
import { DatabaseError } from '../db/databaseError.ts'
import { countMigrations } from '../db/migrations.ts'
import { digest, listPartitions, listSequences, listTables, textForm, type Query } from '../dump/tables.ts'
import { endOfRows, formatVersion, jsonLine, type Header } from './format.ts'

/** What was backed up. */
export interface Written {
  readonly header: Header
  readonly tables: number
  readonly rows: number
  /** Bytes of the file. */
  readonly bytes: number
}

/**
 * Writes a consistent snapshot into a file that only its owner may read. The file gets its name once it is complete and
 * flushed to the disk; until then migrations wait, and old partitions are not removed. Aborting `signal` removes the file.
 * @throws DatabaseError if there is nothing to back up, or the schema is newer than this program's.
 */
export async function writeBackup(connection: ClientConfig, path: string, signal?: AbortSignal): Promise<Written> {
  const part = `${path}.${process.pid}.part`
  const totals = { tables: 0, rows: 0 }
  let header: Header | undefined
  let file: WriteStream | undefined
  const client = new Client(connection)
  // If the connection is lost, the query rejects too; without a listener the event would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const lines = contents(client, totals, found => (header = found))
    const options = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }
    // Opened together with the pipeline, which handles its errors.
    file = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true })
    await pipeline(lines, createZstdCompress(options), file, { signal })
    await renameDurably(part, path)
    return { header: header!, ...totals, bytes: file.bytesWritten }
  } catch (error) {
    if (file) {
      await destroyed(file)
      await rm(part, { force: true })
    }
    throw error
  } finally {
    // Also ends its lock, and a query that is still sending rows.
    await client.end()
  }
}

/** Closes a file, and resolves once that is done. */
const destroyed = (file: WriteStream) =>
  new Promise<void>(resolve => {
    if (file.closed) resolve()
    else file.destroy().once('close', () => resolve())
  })

/** Yields the contents of a backup. */
async function* contents(
  client: Client,
  totals: { tables: number; rows: number },
  onHeader: (header: Header) => void,
): AsyncGenerator<string | Buffer> {
  const query: Query = async <Row>(text: string) => (await client.query(text)).rows as Row[]
  await query(`select pg_advisory_lock_shared(${backupLock})`)
  await query('begin isolation level repeatable read, read only')
  // An operator's limits are for queries that people wait for.
  await query('set local statement_timeout = 0; set local transaction_timeout = 0; set local lock_timeout = 0')
  await query(textForm)
  const header = await describe(client, query)
  const tables = await listTables(query)
  // `only`: a partitioned table itself is not locked, so that partitions can still be added to it.
  await query(`lock table only ${tables.map(({ name }) => name).join(', only ')} in access share mode`)
  onHeader(header)
  yield jsonLine(header)
  for (const table of tables) {
    yield jsonLine(table)
    const rows = client.query(copyTo(`copy ${table.name} (${table.columns.join(', ')}) to stdout`))
    yield* rows as AsyncIterable<Buffer>
    yield endOfRows
    const found = await digest(query, table)
    yield jsonLine({ digest: found })
    totals.tables++
    totals.rows += Number(found.split(' ')[0])
  }
  yield jsonLine({ tables: tables.length })
  await query('commit')
}

async function describe(client: Client, query: Query): Promise<Header> {
  const schema = await countMigrations(drizzle(client))
  if (schema === 0) throw new DatabaseError('it is empty')
  const [moment] = await query<{ at: Date }>('select now() as at')
  return {
    format: 'permeate-backup',
    version: formatVersion,
    program: version,
    schema,
    taken_at: moment!.at.toISOString(),
    partitions: await listPartitions(query),
    // After the snapshot was taken, so that they are not behind the rows.
    sequences: await listSequences(query),
  }
}
