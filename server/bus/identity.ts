/** The identity of an installation: that of its database. */
import { Client, type ClientConfig } from 'pg'

/** Milliseconds for connecting and for a query. */
const timeout = 10_000

/**
 * Returns the system identifier of the PostgreSQL cluster with the OID of the database. By it, installations that share a NATS
 * do not receive each other's events.
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
