/**
 * The embedded MQTT 3.1.1 broker: aedes over TCP. Devices sign in with their credentials and have access to their own
 * topics only. A message is acknowledged once the server has stored it, which also applies back-pressure to devices
 * that send too fast.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { duplexPair, type Duplex } from 'node:stream'
import { callbackify } from 'node:util'
import { Aedes, type AuthenticateError, type Client } from 'aedes'
import { bssidPattern, normaliseBssid } from '../../../src/domain/bssid.ts'
import { ConfigError } from '../../core/config.ts'
import type { Log } from '../../core/log.ts'
import { maxMessageBytes } from '../../protocol/messages.ts'
import { parseDeviceTopic, topicOf, wireName } from '../../protocol/topics.ts'
import { throttledLog } from './throttledLog.ts'
import { openPendingMessages } from './pendingMessages.ts'
import type { DropCounter } from './rateLimit.ts'
import { packetGate } from './packetGate.ts'
import type { SignIn } from './signIn.ts'
import { bytesOf } from './transport.ts'

/** Bytes; a longer packet closes the connection, whereas a message above `maxMessageBytes` is only dropped. */
const maxPacketBytes = 4 * maxMessageBytes
/** Maximum connections that have not signed in yet; further ones are refused. */
const maxUnauthenticated = 1000
/** Milliseconds in which a connection must sign in. */
const connectTimeout = 10_000

export interface Broker {
  /** The port that the broker listens on. */
  readonly port: number
  /** Opens the server's own in-memory connection, which replaces an earlier one. */
  connect(): Duplex
  /** Starts listening. Throws a `ConfigError` if the address is not available. */
  listen(host: string, port: number): Promise<void>
  /** Closes the connections of these devices. */
  disconnect(bssids: readonly string[]): void
  /** Stops accepting messages and connections. */
  stopAccepting(): void
  close(): Promise<void>
  /** The messages that the server is processing. */
  readonly pendingMessages: Pick<ReturnType<typeof openPendingMessages>, 'topicIn' | 'settle'>
}

interface BrokerOptions {
  readonly signIn: (attempt: SignIn) => Promise<boolean>
  readonly drops: DropCounter
  readonly log: Log
}

export async function openBroker({ signIn, drops, log }: BrokerOptions): Promise<Broker> {
  // Unlimited concurrency, because openPendingMessages limits the unacknowledged messages.
  const aedes = new Aedes({ concurrency: 0, connectTimeout })
  const logThrottled = throttledLog(log)
  /** The latest authenticated connection of each device; it replaces an older one only once it has signed in. */
  const connected = new Map<string, Client>()
  const unauthenticated = new Set<Duplex>()
  const pendingMessages = openPendingMessages((topic, payload) =>
    aedes.publish({ cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false }, () => undefined),
  )
  /** The server's own client, recognized by identity, so that no TCP client can impersonate it. */
  let ownClient: Client | undefined
  let isStopping = false

  aedes.preConnect = (client, packet, done) => {
    // No persistent sessions: commands must not be delivered later.
    packet.clean = true
    if (client === ownClient || !isStopping) return done(null, true)
    done(stoppingError(), false)
  }
  /** Returns why a client is rejected, or `undefined` if it is authenticated. */
  const authenticationError = async (
    client: Client,
    name: string | undefined,
    password: Buffer | undefined,
  ): Promise<AuthenticateError | undefined> => {
    if (client === ownClient) return undefined
    const bssid = normaliseBssid(name ?? '')
    if (!bssidPattern.test(bssid) || client.id !== wireName(bssid)) {
      drops.count(undefined, 'wrong credentials')
      return connackError('User name and client id must be the BSSID without colons', 2)
    }
    if (await signIn({ bssid, secret: String(password ?? ''), address: remoteAddressOf(client) })) {
      if (!client.closed) connected.set(client.id, client)
      return undefined
    }
    drops.count(bssid, 'wrong credentials')
    return connackError('Wrong credentials', 4)
  }
  const isReplaced = (client: Client) => {
    const newest = connected.get(client.id)
    return newest !== undefined && newest !== client && !newest.closed
  }
  const authenticate = callbackify(authenticationError)
  aedes.authenticate = (client, name, password, done) =>
    authenticate(client, name, password, (error, rejection) => {
      if (error) logThrottled('Devices cannot sign in', error)
      const connackRejection = error ? connackError('The server is not available', 3) : (rejection ?? null)
      done(connackRejection, connackRejection === null)
    })
  aedes.authorizePublish = (client, packet, done) => {
    if (client === ownClient) return done(null)
    // Also rejects last wills of devices that the stopping server itself disconnects.
    if (client === null || isStopping) return done(stoppingError())
    // Last will of a connection that was replaced by a newer one: the device is still online.
    if (client.closed && isReplaced(client)) return done(new Error('The device has connected again'))
    const { topic } = packet
    // The message is passed to the server separately, so this publication is discarded.
    packet.topic = discardTopic
    packet.retain = false
    const source = parseDeviceTopic(topic)
    const bssid = bssidOf(client)
    if (source === undefined || source.bssid !== bssid) {
      drops.count(bssid, 'foreign topic')
      return done(null)
    }
    const message = { topic, payload: bytesOf(packet), urgent: source.kind !== 'telemetry' }
    pendingMessages.add(message, handled => done(handled ? null : new Error('The message could not be stored')))
  }
  aedes.authorizeSubscribe = (client, subscription, done) => {
    if (client === ownClient || subscription.topic === topicOf(bssidOf(client), 'command'))
      return done(null, subscription)
    drops.count(bssidOf(client), 'foreign topic')
    done(null, null)
  }
  aedes.on('client', client => {
    unauthenticated.delete(client.conn)
  })
  aedes.on('clientDisconnect', client => {
    if (connected.get(client.id) === client) connected.delete(client.id)
  })
  aedes.addListener('error', (error: unknown) => log.error('The MQTT broker failed', error))
  await aedes.listen()

  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, socket => {
    socket.on('error', () => undefined)
    if (isStopping || unauthenticated.size >= maxUnauthenticated) return socket.destroy()
    unauthenticated.add(socket)
    socket.on('close', () => unauthenticated.delete(socket))
    limitPacketSize(socket, () => drops.count(deviceOf(socket), 'oversized'))
    aedes.handle(socket)
  })
  const deviceOf = (socket: Socket) => {
    const client = [...connected.values()].find(({ conn }) => conn === socket)
    return client && bssidOf(client)
  }

  return {
    get port() {
      const address = server.address()
      return isPort(address) ? address.port : 0
    },
    connect: () => {
      pendingMessages.failAll()
      const [inside, outside] = duplexPair()
      // Neither end notices by itself that the other was destroyed.
      inside.on('close', () => outside.destroy())
      outside.on('close', () => inside.destroy())
      ownClient = aedes.handle(inside)
      return outside
    },
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.on('error', error => {
          if (server.listening) logThrottled('Devices cannot connect', error)
          else reject(portError(error))
        })
        server.listen(port, host, resolve)
      }),
    disconnect: bssids => {
      for (const bssid of bssids) connected.get(wireName(bssid))?.close()
    },
    stopAccepting: () => {
      isStopping = true
    },
    close: async () => {
      isStopping = true
      pendingMessages.failAll()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      for (const socket of unauthenticated) socket.destroy()
      await new Promise<void>(resolve => aedes.close(resolve))
      await closed
    },
    pendingMessages,
  }
}

/** A topic without subscribers: publishing to it discards the message. */
const discardTopic = '$nowhere'

const stoppingError = () => new Error('The server is stopping')

/** Closes a connection that sends too long a packet before the packet is buffered. */
function limitPacketSize(socket: Socket, onTooLong: () => void): void {
  const withinLimit = packetGate(maxPacketBytes)
  const read = socket.read.bind(socket)
  // The broker reads connections by `read` only, so this sees every byte first.
  socket.read = (size?: number) => {
    const bytes: unknown = read(size)
    if (!(bytes instanceof Uint8Array) || withinLimit(bytes)) return bytes
    onTooLong()
    socket.destroy()
    return null
  }
}

/** Returns the BSSID of an authenticated client. */
const bssidOf = ({ id }: Client) => normaliseBssid(id)

const remoteAddressOf = ({ conn }: Client) => ('remoteAddress' in conn ? (conn.remoteAddress ?? '') : '')

const isPort = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null

/** Returns an error with a CONNACK code (MQTT 3.1.1, 3.2.2.3): 2 identifier, 3 server unavailable, 4 credentials. */
const connackError = (message: string, returnCode: 2 | 3 | 4): AuthenticateError =>
  Object.assign(new Error(message), { returnCode })

function portError(error: Error): Error {
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new ConfigError(
      'MQTT_PORT is in use by another program. Stop that program, or set MQTT_PORT to another number.',
    )
  if (code === 'EACCES')
    return new ConfigError('You do not have permission to use this MQTT_PORT. Set it to 1024 or above.')
  if (code === 'EADDRNOTAVAIL') return new ConfigError('MQTT_HOST is not an address of this machine.')
  return error
}
