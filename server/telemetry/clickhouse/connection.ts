/** The connection to ClickHouse, and how values are written for it. Uses only what releases from 18.16 to today's have. */
import { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient, type ClickHouseClientConfigOptions } from '@clickhouse/client'
import type { ClickHouseAddress } from '../../core/telemetryUrl.ts'
import { msPerMinute, msPerSecond } from '../../../src/domain/time.ts'
import { watchReach } from './reach.ts'

export interface Connection {
  /** The name of its database. */
  readonly database: string
  /** Runs a statement without a result; resolves once it is done. */
  run(statement: string): Promise<void>
  /** Returns the rows of a query. Integers of 64 bits may be texts, because they are more precise than numbers. */
  rows<Row>(query: string): Promise<Row[]>
  /** Inserts rows, whose values are as `cell` returns them; resolves once ClickHouse has stored them. */
  insert(table: string, columns: readonly string[], rows: readonly (readonly (string | number)[])[]): Promise<void>
  /** Whether rows can be inserted at present, as far as this is known; after a loss of ClickHouse within seconds. */
  canStore(): boolean
  /** Whether ClickHouse has answered within the last seconds. */
  isAnswering(): boolean
  close(): Promise<void>
}

/** Milliseconds after which a statement counts as failed: writing readings holds locks meanwhile. */
const timeout = 15 * msPerSecond
/** Milliseconds after which ClickHouse counts as away if it does not answer. */
const pingTimeout = 5 * msPerSecond
/** Milliseconds for sums over all readings of an hour. */
const longTimeout = 10 * msPerMinute
/** Milliseconds between two signs of life of ClickHouse during a long statement. */
const progressInterval = 20 * msPerSecond
/** Bytes of a statement; lists of thousands of keys are longer than the default. */
const maxStatement = 16 * 1024 * 1024

/** Connects, and creates the database if it is missing. Rejects if ClickHouse cannot be reached. */
export async function connect({ url, user, password, database }: ClickHouseAddress): Promise<Connection> {
  const options: ClickHouseClientConfigOptions = {
    url,
    username: user,
    password,
    // Its errors are logged by those who call.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { max_query_size: String(maxStatement) },
  }
  const first = createClient({ ...options, request_timeout: timeout })
  try {
    await first.command({ query: `create database if not exists ${database}` })
  } finally {
    await first.close()
  }
  const quick = createClient({ ...options, database, request_timeout: timeout })
  const patient = createClient({
    ...options,
    database,
    request_timeout: longTimeout,
    clickhouse_settings: {
      ...options.clickhouse_settings,
      // So that nothing between the two takes a long statement for a dead connection.
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: String(progressInterval),
    },
  })
  // A separate client, so that a ping does not wait for a statement. It authenticates as statements do.
  const pinging = createClient({ ...options, request_timeout: pingTimeout })
  const reach = watchReach(async () => (await pinging.query({ query: 'select 1' })).text())
  return {
    database,
    run: async statement => {
      await patient.command({ query: statement })
    },
    rows: async <Row>(query: string) => {
      const result = await quick.query({ query, format: 'JSONEachRow' })
      return result.json<Row>()
    },
    insert: async (table, columns, rows) => {
      if (rows.length === 0) return
      const text = rows.map(row => `${row.join('\t')}\n`).join('')
      await reach.storing(
        quick.insert({
          table,
          columns: [columns[0]!, ...columns.slice(1)],
          format: 'TabSeparated',
          values: Readable.from([text], { objectMode: false }),
        }),
      )
    },
    canStore: reach.canStore,
    isAnswering: reach.isAnswering,
    close: async () => {
      reach.close()
      await Promise.all([quick.close(), patient.close(), pinging.close()])
    },
  }
}

/** How a missing value is written in rows to insert. */
const missing = '\\N'

/** Returns an amount as the whole number of millionths that is stored, so that sums are exact in any order. */
export const millionths = (amount: number): number => Math.round(amount * 1e6)

/** Returns the cell of an amount in a row to insert. */
export const cell = (amount: number | null): string | number => (amount === null ? missing : millionths(amount))

/** Returns a text in quotes, for a statement. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Returns devices as a list for `in`. */
export const listOf = (bssids: readonly string[]): string => `(${bssids.map(quoted).join(', ')})`

/** Keys per statement: ClickHouse refuses those with more than 50,000 elements. */
const keysPerStatement = 5_000

/** Returns keys in parts, each for a statement of its own. */
export const inParts = <Key>(keys: readonly Key[]): (readonly Key[])[] =>
  Array.from({ length: Math.ceil(keys.length / keysPerStatement) }, (_, part) =>
    keys.slice(part * keysPerStatement, (part + 1) * keysPerStatement),
  )
