/**
 * Limits for HTTP connections: how long one may take to send its headers, how many may be open from one address, and how
 * many may be open without a request.
 */
import { BlockList, isIPv6, type Socket } from 'node:net'
import type { RequestListener, Server, ServerOptions } from 'node:http'
import { Server as TlsServer } from 'node:tls'
import { addressGroup, plainAddress } from '../core/addressGroup.ts'
import { handshakeTimeout, type Certificate } from '../core/certificate.ts'
import type { Config } from '../core/config.ts'
import { openWaitingConnections } from '../core/waitingConnections.ts'

/** Milliseconds for the headers of a request, and between two looks for those that took longer. */
const headerLimits = { headersTimeout: 10_000, connectionsCheckingInterval: 1000 } satisfies ServerOptions

/** Returns Fastify's options of a server for HTTP, or with a certificate for HTTPS, with limits for headers and handshakes. */
export const protocolOptions = (certificate: Certificate | undefined) =>
  certificate === undefined
    ? { http: headerLimits }
    : { https: { ...certificate.current, ...headerLimits, handshakeTimeout } }

/** Gives a server each new certificate, and limits its connections by the settings. */
export function guardServer(
  server: Server,
  { connectionsPerAddress, trustProxy }: Pick<Config, 'connectionsPerAddress' | 'trustProxy'>,
  certificate: Certificate | undefined,
): void {
  if (server instanceof TlsServer) certificate?.serve(server)
  limitConnections(server, { perAddress: connectionsPerAddress, trustProxy })
}

/** Maximum connections without a running request. */
const defaultMaxWaiting = 4000

interface Limits {
  /** Maximum open connections from an address. */
  readonly perAddress: number
  /** Addresses and ranges of proxies, through which many clients come; they have no limit, nor does loopback. */
  readonly trustProxy: string | undefined
  readonly maxWaiting?: number
}

/**
 * Limits the connections of a server. A connection that is too many for its address, or for the server, takes the place
 * of the oldest one without a request from that address, or from the address that has the most of them. It is refused if
 * there is none.
 */
export function limitConnections(
  server: Server,
  { perAddress, trustProxy, maxWaiting = defaultMaxWaiting }: Limits,
): void {
  const waiting = openWaitingConnections(maxWaiting)
  const isUnlimited = proxies(trustProxy)
  /** Open connections by group of addresses. */
  const open = new Map<string, number>()
  /** Running requests: with pipelining, a connection may have several. */
  const running = new WeakMap<Socket, number>()

  const accept = (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const group = addressGroup(address)
    const count = open.get(group) ?? 0
    if (count >= perAddress && !isUnlimited(address) && !waiting.evictFrom(address)) return void socket.destroy()
    open.set(group, (open.get(group) ?? 0) + 1)
    socket.once('close', () => {
      const left = open.get(group)! - 1
      if (left > 0) open.set(group, left)
      else open.delete(group)
    })
    return wait(socket)
  }
  const wait = (socket: Socket) => {
    waiting.add(socket, socket.remoteAddress ?? '')
    socket.once('close', () => waiting.delete(socket))
  }
  const onRequest: RequestListener = ({ socket }, response) => {
    waiting.delete(socket)
    running.set(socket, (running.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = running.get(socket)! - 1
      running.set(socket, left)
      if (left === 0 && !socket.destroyed) waiting.add(socket, socket.remoteAddress ?? '')
    })
  }
  server.on('connection', accept)
  server.on('request', onRequest)
  if (!(server instanceof TlsServer)) return
  // After the handshake, the encrypted connection waits instead of the one that carries it.
  const handshaking = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    const name = peerOf(socket)
    handshaking.set(name, socket)
    socket.once('close', () => handshaking.delete(name))
  })
  server.on('secureConnection', (socket: Socket) => {
    const raw = handshaking.get(peerOf(socket))
    if (raw !== undefined) waiting.delete(raw)
    wait(socket)
  })
}

/** Returns a text that names a connection among those of a server. */
const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/** Returns a function that checks whether an address is loopback or one of the proxies. */
function proxies(trustProxy: string | undefined): (address: string) => boolean {
  const list = new BlockList()
  const versionOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
  for (const range of ['127.0.0.0/8', '::1/128', ...(trustProxy?.split(',') ?? [])]) {
    const [address = '', bits] = range.trim().split('/')
    if (bits === undefined) list.addAddress(address, versionOf(address))
    else list.addSubnet(address, Number(bits), versionOf(address))
  }
  return address => {
    const plain = plainAddress(address)
    return plain !== '' && list.check(plain, versionOf(plain))
  }
}
