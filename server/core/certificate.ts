/** The certificate and key of the server's TLS listeners, read again when their files change. */
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, type Server } from 'node:tls'
import { ConfigError, type CertificatePaths } from './config.ts'
import type { Log } from './log.ts'

export interface Certificate {
  /** The pair in use, as options of a new TLS server. */
  readonly current: Pair
  /** Gives a TLS server each new pair; connections that are open keep theirs. */
  serve(server: Server): void
  close(): void
}

interface Pair {
  readonly cert: Buffer
  readonly key: Buffer
}

/**
 * Milliseconds between two looks at the files. They are not watched, because a file that is replaced, as certificate
 * clients do, is reported differently by each system, and not at all on network file systems.
 */
const defaultInterval = 5000

/** Milliseconds in which a TLS connection must complete its handshake. */
export const handshakeTimeout = 10_000

/** Opens the pair and follows its changes. Throws a `ConfigError` if the files are missing or do not fit each other. */
export function openCertificate(paths: CertificatePaths, log: Log, interval = defaultInterval): Certificate {
  // Before the files are read: the next look then sees a change that happens meanwhile.
  let seen = stateOf(paths)
  let current: Pair
  try {
    current = readPair(paths)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`The files of TLS_CERT and TLS_KEY cannot be used: ${reason}`)
  }
  const servers = new Set<Server>()
  const look = () => {
    const state = stateOf(paths)
    if (state === seen) return
    seen = state
    try {
      current = readPair(paths)
    } catch (error) {
      // For example only one of the two files has been replaced so far.
      return log.error('The new TLS certificate cannot be used yet; the server keeps the old one', error)
    }
    for (const server of servers) server.setSecureContext(current)
    log.info('The TLS certificate has been replaced')
  }
  const timer = setInterval(look, interval).unref()
  return {
    get current() {
      return current
    },
    serve: server => {
      servers.add(server)
      server.once('close', () => servers.delete(server))
    },
    close: () => clearInterval(timer),
  }
}

/** Returns a text that changes whenever a file is written or replaced. */
const stateOf = ({ cert, key }: CertificatePaths): string =>
  [cert, key]
    .map(path => {
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
      return stat === undefined ? 'missing' : [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
    })
    .join()

/** Reads the pair. Throws if it is incomplete, or the key belongs to another certificate. */
function readPair(paths: CertificatePaths): Pair {
  const pair = { cert: readFileSync(paths.cert), key: readFileSync(paths.key) }
  createSecureContext(pair)
  return pair
}
