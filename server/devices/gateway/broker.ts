/**
 * The embedded MQTT 3.1.1 broker: aedes over TCP and TLS. Devices sign in with their credentials and have access to
 * their own topics only. A message is acknowledged once the server has stored it, which also applies back-pressure to
 * devices that send too fast.
 */
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { Aedes, type AuthenticateError, type Client } from 'aedes'
import { bssidPattern, normaliseBssid } from '../../../src/domain/bssid.ts'
import type { Log } from '../../core/log.ts'
import { maxMessageBytes } from '../../protocol/messages.ts'
import { parseDeviceTopic, topicOf, wireName } from '../../protocol/topics.ts'
import { openListeners, type Endpoint } from './listeners.ts'
import { throttledLog } from './throttledLog.ts'
import { openPendingMessages } from './pendingMessages.ts'
import type { DropCounter } from './rateLimit.ts'
import { packetGate } from './packetGate.ts'
import type { SignIn, SignInResult } from './signIn.ts'
import { bytesOf, stopTimeout, withTimeout, type MessageHandler } from './transport.ts'

/** Bytes; a longer packet closes the connection, whereas a message above `maxMessageBytes` is only dropped. */
const maxPacketBytes = 4 * maxMessageBytes
const defaultConnectTimeout = 10_000

/** A device's connection. */
export interface DeviceConnection {
  readonly bssid: string
  /** When the device signed in: milliseconds by the database's clock. */
  readonly at: number
  /** The hash of the secret with which the device signed in. */
  readonly hash: string
  /** Resolves once the device has subscribed to its commands; never if the connection ends before. */
  readonly subscribed: Promise<void>
}

export interface Broker {
  /** Publishes to the connected devices that have subscribed to the topic. */
  send(topic: string, payload: string): Promise<void>
  /** Starts listening and returns the port. Throws a `ConfigError` if the address is not available. */
  listen(endpoint: Endpoint): Promise<number>
  /** Returns the open connection of a device. */
  connectionOf(bssid: string): DeviceConnection | undefined
  /** Returns all open connections of devices. */
  connections(): DeviceConnection[]
  /** Returns the number of open connections, with or without a signed-in device. */
  countConnections(): Promise<number>
  /** Closes the connections of these devices and refuses their pending sign-ins, because their credentials have ended. */
  disconnect(bssids: readonly string[]): void
  /** Closes a device's connection, because the device has signed in at another server since. */
  replace(bssid: string): void
  /** Stops accepting messages and connections. */
  stopAccepting(): void
  /** Finishes processing messages, within `stopTimeout` milliseconds, and disconnects the devices. */
  close(): Promise<void>
}

interface BrokerOptions {
  readonly signIn: (attempt: SignIn) => Promise<SignInResult>
  /** Called when a device has signed in. */
  readonly onSignIn: (connection: DeviceConnection) => void
  readonly handle: MessageHandler
  readonly drops: DropCounter
  readonly log: Log
  /** Milliseconds in which a connection must send its CONNECT; overridden in tests. */
  readonly connectTimeout?: number
}

export async function openBroker(options: BrokerOptions): Promise<Broker> {
  const { signIn, onSignIn, handle, drops, log, connectTimeout = defaultConnectTimeout } = options
  // Unlimited concurrency, because openPendingMessages limits the unacknowledged messages.
  const aedes = new Aedes({ concurrency: 0, connectTimeout })
  const logThrottled = throttledLog(log)
  /** The latest authenticated connection of each device; it replaces an older one only once it has signed in. */
  const connected = new Map<string, Connected>()
  /** Connections of devices that have signed in at another server since. */
  const replacedElsewhere = new WeakSet<Client>()
  /** Connections that are closed because a message of them could not be stored. */
  const closedByFailure = new WeakSet<Client>()
  /** Clients that are signing in, without those whose credentials have ended meanwhile. */
  const signingIn = new Set<Client>()
  const pendingMessages = openPendingMessages(handle, log)
  let isStopping = false

  aedes.preConnect = (_, packet, done) => {
    // No persistent sessions: commands must not be delivered later.
    packet.clean = true
    done(isStopping ? stoppingError() : null, !isStopping)
  }
  /** Returns why a client is rejected, or `undefined` if it is authenticated. */
  const authenticationError = async (
    client: Client,
    name: string | undefined,
    password: Buffer | undefined,
  ): Promise<AuthenticateError | undefined> => {
    const bssid = normaliseBssid(name ?? '')
    if (!bssidPattern.test(bssid) || client.id !== wireName(bssid)) {
      drops.count(undefined, 'wrong credentials')
      return connackError('User name and client id must be the BSSID without colons', 2)
    }
    const attempt = { bssid, secret: String(password ?? ''), address: remoteAddressOf(client) }
    listeners.waiting.hold(client.conn)
    const result = await signIn({ ...attempt, isClosed: () => client.closed })
    if (result.accepted) {
      if (client.closed) return undefined
      if (!signingIn.has(client)) return connackError('The credentials have changed', 3)
      const { promise: subscribed, resolve: onSubscribed } = Promise.withResolvers<void>()
      const connection = { client, bssid, at: result.at, hash: result.hash, subscribed, onSubscribed }
      connected.set(client.id, connection)
      onSignIn(connection)
      return undefined
    }
    drops.count(bssid, 'wrong credentials')
    // Others may take its place while its refusal is delayed.
    listeners.waiting.release(client.conn)
    await wait(result.delay, undefined, { ref: false })
    return connackError('Wrong credentials', 4)
  }
  const isReplaced = (client: Client) => {
    const newest = connected.get(client.id)?.client
    return replacedElsewhere.has(client) || (newest !== undefined && newest !== client && !newest.closed)
  }
  const authenticate = callbackify(authenticationError)
  aedes.authenticate = (client, name, password, done) => {
    signingIn.add(client)
    authenticate(client, name, password, (error, rejection) => {
      signingIn.delete(client)
      if (error) logThrottled('Devices cannot sign in', error)
      const connackRejection = error ? connackError('The server is not available', 3) : (rejection ?? null)
      done(connackRejection, connackRejection === null)
    })
  }
  aedes.authorizePublish = (client, packet, done) => {
    // Also rejects last wills of devices that the stopping server itself disconnects.
    if (client === null || isStopping) return done(stoppingError())
    // Last will of a connection that was replaced by a newer one: the device is still online.
    if (client.closed && isReplaced(client)) return done(new Error('The device has connected again'))
    // Such a device would look offline although it sends: it comes back with the same message.
    if (closedByFailure.has(client)) return done(unstoredError())
    const { topic } = packet
    // The server processes the message itself, so this publication is discarded.
    packet.topic = discardTopic
    packet.retain = false
    const source = parseDeviceTopic(topic)
    const bssid = bssidOf(client)
    if (source === undefined || source.bssid !== bssid) {
      drops.count(bssid, 'foreign topic')
      return done(null)
    }
    const message = { topic, payload: bytesOf(packet), backlog: false }
    pendingMessages.add(message, source.kind !== 'telemetry', handled => {
      // The error makes aedes close the connection and publish the device's last will.
      if (!handled) closedByFailure.add(client)
      done(handled ? null : unstoredError())
    })
  }
  aedes.authorizeSubscribe = (client, subscription, done) => {
    if (subscription.topic === topicOf(bssidOf(client), 'command')) return done(null, subscription)
    drops.count(bssidOf(client), 'foreign topic')
    done(null, null)
  }
  aedes.on('client', client => listeners.waiting.delete(client.conn))
  aedes.on('subscribe', (subscriptions, client) => {
    const connection = connected.get(client.id)
    if (connection?.client !== client) return
    // Contains refused ones, too.
    if (subscriptions.some(({ topic }) => topic === topicOf(connection.bssid, 'command'))) connection.onSubscribed()
  })
  aedes.on('clientDisconnect', client => {
    if (connected.get(client.id)?.client === client) connected.delete(client.id)
  })
  aedes.addListener('error', (error: unknown) => log.error('The MQTT broker failed', error))
  await aedes.listen()

  const listeners = openListeners({
    logThrottled,
    onSocket: socket => {
      if (isStopping) return socket.destroy()
      limitPacketSize(socket, () => drops.count(deviceOf(socket), 'oversized'))
      aedes.handle(socket)
    },
  })
  const deviceOf = (socket: Socket) => [...connected.values()].find(({ client }) => client.conn === socket)?.bssid

  return {
    send: (topic, payload) =>
      new Promise((resolve, reject) => {
        aedes.publish(
          { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 1, retain: false, dup: false },
          error => (error ? reject(error) : resolve()),
        )
      }),
    listen: listeners.listen,
    connectionOf: bssid => {
      const connection = connected.get(wireName(bssid))
      return connection?.client.closed === false ? connection : undefined
    },
    connections: () => [...connected.values()].filter(({ client }) => !client.closed),
    countConnections: listeners.count,
    disconnect: bssids => {
      const names = new Set(bssids.map(wireName))
      for (const client of signingIn) if (names.has(client.id)) signingIn.delete(client)
      for (const name of names) connected.get(name)?.client.close()
    },
    replace: bssid => {
      const client = connected.get(wireName(bssid))?.client
      if (client === undefined) return
      replacedElsewhere.add(client)
      client.close()
    },
    stopAccepting: () => {
      isStopping = true
    },
    close: async () => {
      isStopping = true
      await withTimeout(stopTimeout, pendingMessages.finish())
      const closed = listeners.close()
      await new Promise<void>(resolve => aedes.close(resolve))
      await closed
    },
  }
}

interface Connected extends DeviceConnection {
  readonly client: Client
  readonly onSubscribed: () => void
}

/** A topic without subscribers: publishing to it discards the message. */
const discardTopic = '$nowhere'

const stoppingError = () => new Error('The server is stopping')
const unstoredError = () => new Error('The message could not be stored')

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

/** Returns an error with a CONNACK code (MQTT 3.1.1, 3.2.2.3): 2 identifier, 3 server unavailable, 4 credentials. */
const connackError = (message: string, returnCode: 2 | 3 | 4): AuthenticateError =>
  Object.assign(new Error(message), { returnCode })
