/**
 * The embedded broker: aedes over TCP, which speaks MQTT 3.1.1. Devices sign in with their credentials and touch their
 * own topics only. A device's message is acknowledged once the server is done with it: so what was acknowledged is
 * stored, and a device that sends faster than the server stores is held up by its own connection.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { duplexPair, type Duplex } from 'node:stream'
import { callbackify } from 'node:util'
import { Aedes, type AuthenticateError, type Client } from 'aedes'
import { bssidPattern, normaliseBssid } from '../../../src/domain/bssid.ts'
import { ConfigError } from '../../core/config.ts'
import type { Log } from '../../core/log.ts'
import { maxMessageBytes } from '../../protocol/messages.ts'
import { deviceTopic, topicOf, wireName } from '../../protocol/topics.ts'
import { throttledLog } from './throttledLog.ts'
import { openPendingMessages } from './pendingMessages.ts'
import type { DropCounter } from './rateLimit.ts'
import { packetGate } from './packetGate.ts'
import type { SignIn } from './signIn.ts'
import { bytesOf } from './transport.ts'

/** Bytes; a message that is only somewhat too long is dropped, one that is longer ends its connection. */
const maxPacketBytes = 4 * maxMessageBytes
/** Connections that have not signed in yet; the next are turned away until some have. */
const maxUnauthenticated = 1000
/** Milliseconds in which a connection must say who it is. */
const connectTimeout = 10_000

export interface Broker {
  /** Where devices connect. */
  readonly port: number
  /** The server's own connection, in memory; it replaces an earlier one. */
  connect(): Duplex
  /** Starts to listen. Throws a `ConfigError` where the port cannot be had. */
  listen(host: string, port: number): Promise<void>
  /** Ends the connections of these devices. */
  disconnect(bssids: readonly string[]): void
  /** Takes nothing more from devices. */
  stopAccepting(): void
  close(): Promise<void>
  /** What is known of the topic on which the server gets a device's message. */
  readonly pendingMessages: Pick<ReturnType<typeof openPendingMessages>, 'topicIn' | 'settle'>
}

interface BrokerOptions {
  readonly signIn: (given: SignIn) => Promise<boolean>
  readonly drops: DropCounter
  readonly log: Log
}

export async function openBroker({ signIn, drops, log }: BrokerOptions): Promise<Broker> {
  // No bound on what is under way inside: devices wait for their acknowledgements, which bounds it.
  const aedes = new Aedes({ concurrency: 0, connectTimeout })
  const logThrottled = throttledLog(log)
  /** The newest connection of each, from when it has signed in: only then the one before it is ended. */
  const connected = new Map<string, Client>()
  const unauthenticated = new Set<Duplex>()
  const pendingMessages = openPendingMessages((topic, payload) =>
    aedes.publish({ cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false }, () => undefined),
  )
  /** The server's own end: known by being it, so that nothing that comes by TCP can pass for it. */
  let own: Client | undefined
  let isStopping = false

  aedes.preConnect = (client, packet, done) => {
    // No session outlives its connection: a command is for now, or for nobody.
    packet.clean = true
    if (client === own || !isStopping) return done(null, true)
    done(stopping(), false)
  }
  /** Why a device is not let in; `undefined` where it is. */
  const authenticationError = async (
    client: Client,
    name: string | undefined,
    password: Buffer | undefined,
  ): Promise<AuthenticateError | undefined> => {
    if (client === own) return undefined
    const bssid = normaliseBssid(name ?? '')
    if (!bssidPattern.test(bssid) || client.id !== wireName(bssid)) {
      drops.count(undefined, 'wrong credentials')
      return connackError('User name and client id must be the bssid without its colons', 2)
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
    authenticate(client, name, password, (error, refused) => {
      if (error) logThrottled('Devices cannot sign in', error)
      const refusedWith = error ? connackError('The server is not available', 3) : (refused ?? null)
      done(refusedWith, refusedWith === null)
    })
  aedes.authorizePublish = (client, packet, done) => {
    if (client === own) return done(null)
    // Also the last wills of devices that the stopping server itself disconnects.
    if (client === null || isStopping) return done(stopping())
    // The last will of a connection that ended because of a newer one: the device is not gone.
    if (client.closed && isReplaced(client)) return done(new Error('The device has connected again'))
    const { topic } = packet
    // The message goes to the server only, and by another way; on this one it ends here.
    packet.topic = discardTopic
    packet.retain = false
    const from = deviceTopic(topic)
    const bssid = bssidOf(client)
    if (from === undefined || from.bssid !== bssid) {
      drops.count(bssid, 'foreign topic')
      return done(null)
    }
    const message = { topic, payload: bytesOf(packet), urgent: from.last !== 'telemetry' }
    pendingMessages.add(message, handled => done(handled ? null : new Error('The message could not be stored')))
  }
  aedes.authorizeSubscribe = (client, subscription, done) => {
    if (client === own || subscription.topic === topicOf(bssidOf(client), 'command')) return done(null, subscription)
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
      // Of itself neither end notices that the other was destroyed.
      inside.on('close', () => outside.destroy())
      outside.on('close', () => inside.destroy())
      own = aedes.handle(inside)
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

/** A topic that nobody has subscribed to, nor can. */
const discardTopic = '$nowhere'

const stopping = () => new Error('The server is stopping')

/** Ends a connection with a packet that is too long, before it is gathered. */
function limitPacketSize(socket: Socket, onTooLong: () => void): void {
  const withinLimit = packetGate(maxPacketBytes)
  const read = socket.read.bind(socket)
  // The broker reads its connections by `read` alone, so this sees each byte before the broker does.
  socket.read = (size?: number) => {
    const bytes: unknown = read(size)
    if (!(bytes instanceof Uint8Array) || withinLimit(bytes)) return bytes
    onTooLong()
    socket.destroy()
    return null
  }
}

/** Of a client that has signed in. */
const bssidOf = ({ id }: Client) => normaliseBssid(id)

const remoteAddressOf = ({ conn }: Client) => ('remoteAddress' in conn ? (conn.remoteAddress ?? '') : '')

const isPort = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null

/** MQTT's codes for why a connection is refused: 2 identifier, 3 server unavailable, 4 user name or password. */
const connackError = (message: string, returnCode: 2 | 3 | 4): AuthenticateError =>
  Object.assign(new Error(message), { returnCode })

function portError(error: Error): Error {
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new ConfigError('MQTT_PORT is in use by another program. Stop that one, or set MQTT_PORT to another number.')
  if (code === 'EACCES') return new ConfigError('This user may not use that MQTT_PORT. Set it to 1024 or above.')
  if (code === 'EADDRNOTAVAIL') return new ConfigError('MQTT_HOST is no address of this machine.')
  return error
}
