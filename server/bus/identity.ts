/** What distinguishes the database of an installation from all others. */
import { Client, type ClientConfig } from 'pg'

/** Milliseconds for connecting and for a query. */
const timeout = 10_000

/**
 * Returns what distinguishes a database from all others: the number that PostgreSQL gives a cluster when it is created, and the
 * database's in it. So installations that share a NATS do not receive each other's events.
 */
export async function identityOf(connection: ClientConfig): Promise<string> {
  const client = new Client({ ...connection, connectionTimeoutMillis: timeout, query_timeout: timeout })
  // Without a listener, an 'error' event would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ identity: string }>(
      `select system_identifier || '-' || oid as identity from pg_control_system(), pg_database
       where datname = current_database()`,
    )
    return rows[0]!.identity
  } finally {
    await client.end().catch(() => undefined)
  }
}
