/** Reads `NATS_URL`. */

/** Where NATS is, and how to sign in there. */
export interface NatsAddress {
  /** Servers of one cluster, each as host and port. */
  readonly servers: readonly string[]
  /** Whether TLS is demanded; otherwise it is used where NATS offers it. */
  readonly isTls: boolean
  readonly login:
    | { readonly user: string; readonly pass: string }
    | { readonly token: string }
    | Readonly<Record<string, never>>
}

/** The port of NATS for clients (NATS documentation). */
const defaultPort = '4222'

/**
 * Returns the address of a text such as `nats://user:password@host:4222`, or `undefined` if it is none. `nats://token@host`
 * signs in with a token, and `tls://` requires TLS. Several servers of a cluster are separated by commas; the login of the
 * first one that has a login holds for all.
 */
export function readNatsUrl(text: string): NatsAddress | undefined {
  try {
    const urls = text.split(',').map(part => new URL(part.trim()))
    if (urls.some(({ protocol, hostname }) => !['nats:', 'tls:'].includes(protocol) || hostname === ''))
      return undefined
    const { username, password } = urls.find(url => url.username !== '') ?? urls[0]!
    const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
    return {
      servers: urls.map(({ hostname, port }) => `${hostname}:${port || defaultPort}`),
      isTls: urls.some(({ protocol }) => protocol === 'tls:'),
      login: user === '' ? {} : pass === '' ? { token: user } : { user, pass },
    }
  } catch {
    return undefined
  }
}
