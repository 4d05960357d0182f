/** The TCP and TLS listeners of the embedded broker, with limits for connections that have not signed in. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { promisify } from 'node:util'
import { handshakeTimeout, type Certificate } from '../../core/certificate.ts'
import { portError } from '../../core/portError.ts'
import { openWaitingConnections, type WaitingConnections } from '../../core/waitingConnections.ts'
import type { ThrottledLog } from './throttledLog.ts'

/** Maximum connections that have not signed in yet. */
const maxWaiting = 1000

/** Where devices connect. */
export interface Endpoint {
  readonly host: string
  /** 0: a port that the system chooses. */
  readonly port: number
  /** The setting that messages name. */
  readonly setting: 'MQTT_PORT' | 'MQTTS_PORT'
  /** For TLS. */
  readonly certificate?: Certificate
}

export interface Listeners {
  readonly waiting: WaitingConnections
  /** Starts listening and returns the port. Throws a `ConfigError` if the address is not available. */
  listen(endpoint: Endpoint): Promise<number>
  /** Returns the number of open connections, with or without a signed-in device. */
  count(): Promise<number>
  /** Stops listening and closes the connections that have not signed in. Resolves once all are closed. */
  close(): Promise<void>
}

interface ListenersOptions {
  /** Called with each connection, after its TLS handshake. */
  readonly onSocket: (socket: Socket) => void
  readonly logThrottled: ThrottledLog
}

/** Opens listeners that do not listen yet. */
export function openListeners({ onSocket, logThrottled }: ListenersOptions): Listeners {
  const waiting = openWaitingConnections(maxWaiting)
  const servers = new Set<Server>()
  let isClosing = false
  const accept = (socket: Socket) => {
    socket.on('error', () => undefined)
    if (isClosing) return socket.destroy()
    waiting.add(socket, socket.remoteAddress ?? '')
    socket.on('close', () => waiting.delete(socket))
  }
  const acceptPlain = (socket: Socket) => {
    accept(socket)
    if (!socket.destroyed) onSocket(socket)
  }
  const tlsServer = (certificate: Certificate) => {
    const server = createTlsServer({ ...certificate.current, ...socketOptions, handshakeTimeout })
    certificate.serve(server)
    // The place of a connection in its handshake passes to the encrypted one.
    const handshaking = new Map<string, Socket>()
    server.on('connection', (socket: Socket) => {
      accept(socket)
      const name = peerOf(socket)
      handshaking.set(name, socket)
      socket.on('close', () => handshaking.delete(name))
    })
    server.on('secureConnection', socket => {
      const raw = handshaking.get(peerOf(socket))
      if (raw !== undefined) waiting.delete(raw)
      acceptPlain(socket)
    })
    // Such as a client that does not trust the certificate, or speaks no TLS.
    server.on('tlsClientError', (_, socket) => socket.destroy())
    return server
  }
  return {
    waiting,
    count: async () => {
      const counts = await Promise.all([...servers].map(server => promisify(server.getConnections.bind(server))()))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    listen: ({ host, port, setting, certificate }) =>
      new Promise((resolve, reject) => {
        const server = certificate === undefined ? createServer(socketOptions, acceptPlain) : tlsServer(certificate)
        server.on('error', error => {
          if (server.listening) logThrottled('Devices cannot connect', error)
          else reject(portError(error, { port: setting, host: 'MQTT_HOST' }))
        })
        server.listen(port, host, () => {
          servers.add(server)
          resolve(portOf(server.address()))
        })
      }),
    close: async () => {
      isClosing = true
      const closed = [...servers].map(server => new Promise<void>(resolve => server.close(() => resolve())))
      waiting.destroyAll()
      await Promise.all(closed)
    },
  }
}

const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }

/** Returns a text that names a connection among those of a listener. */
const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0
