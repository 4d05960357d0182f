/** Reads `TELEMETRY_URL`. */

/** Where ClickHouse is, and how to sign in there. */
export interface ClickHouseAddress {
  /** Its HTTP interface, without login and path. */
  readonly url: string
  readonly user: string
  readonly password: string
  /** Name of the database, which is created if it is missing. */
  readonly database: string
}

/** The port of ClickHouse's HTTP interface, without and with TLS (ClickHouse documentation). */
const defaultPorts = { 'clickhouse:': '8123', 'clickhouses:': '8443' } as const

/** Names that need no quoting. */
const namePattern = /^[A-Za-z_]\w*$/

/**
 * Returns the address of a text such as `clickhouse://user:password@host:8123/permeate`, or `undefined` if it is none.
 * `clickhouses://` uses TLS. Without a name, the database is `permeate`.
 */
export function readTelemetryUrl(text: string): ClickHouseAddress | undefined {
  try {
    const { protocol, hostname, port, username, password, pathname } = new URL(text)
    if (protocol !== 'clickhouse:' && protocol !== 'clickhouses:') return undefined
    const database = pathname.slice(1) || 'permeate'
    if (hostname === '' || !namePattern.test(database)) return undefined
    const scheme = protocol === 'clickhouses:' ? 'https' : 'http'
    return {
      url: `${scheme}://${hostname}:${port || defaultPorts[protocol]}`,
      user: decodeURIComponent(username) || 'default',
      password: decodeURIComponent(password),
      database,
    }
  } catch {
    return undefined
  }
}
