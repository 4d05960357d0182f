/** Live streams to consoles: bus events, batched for up to a second and filtered by access. */
import type { Readable } from 'node:stream'
import { resourceOf } from '../../src/api/contract/address.ts'
import { endpoints } from '../../src/api/contract/all/endpoints.ts'
import { notifications as notificationCalls } from '../../src/api/contract/notifications.ts'
import { pingInterval as defaultPingInterval, stream as contract } from '../../src/api/contract/stream.ts'
import type { Role } from '../../src/domain/roles.ts'
import type { Database } from '../db/database.ts'
import { addressGroup } from '../core/addressGroup.ts'
import { HttpError } from '../core/errors.ts'
import type { Call, Caller, Handler } from '../endpoints/handler.ts'
import { isVisibleTo } from '../resources/shared/scope.ts'
import type { Bus, BusEvent } from '../bus/bus.ts'
import { encodeEvent } from './events.ts'
import { openReader, type Reader } from './reader.ts'
import { messagesFor } from './scopes.ts'

export interface Live {
  /** Handler of `GET /api/v3/stream`. */
  readonly handler: Handler
  /** Ends all streams. */
  close(): void
}

/** Intervals in milliseconds. */
export interface StreamIntervals {
  /** Between two pings; a ping also checks the session. */
  readonly pingInterval: number
  /** Minimum time between two batches of changes. */
  readonly flushInterval: number
}

/** Maximum open streams. */
export interface StreamLimits {
  /** Maximum streams of one account, where each visible tab has one. */
  readonly account: number
  /** Maximum streams of one address, which an office may share; an IPv6 address counts as its /64. */
  readonly address: number
  readonly all: number
}

interface Options {
  readonly db: Database
  readonly bus: Bus
  /** Called with errors. */
  readonly onError: (error: unknown) => void
  readonly intervals?: Partial<StreamIntervals>
  readonly limits?: StreamLimits
}

/** Milliseconds to wait after the first change, so that simultaneous changes share a batch. */
const flushDelay = 20
const defaultLimits: StreamLimits = { account: 20, address: 300, all: 5000 }
/** Milliseconds after which streams are destroyed when the server stops. */
const closeTimeout = 1_000

/** Returns the resources that a role may read. */
const readableBy = (role: Role): ReadonlySet<string> =>
  new Set(
    endpoints.flatMap(({ method, roles, path }) =>
      method === 'GET' && roles.includes(role) ? [resourceOf(path)] : [],
    ),
  )
const readable: Readonly<Record<Role, ReadonlySet<string>>> = {
  superadmin: readableBy('superadmin'),
  admin: readableBy('admin'),
  vendor: readableBy('vendor'),
}
const allResources = new Set(Object.values(readable).flatMap(resources => [...resources]))

interface Subscriber extends Reader {
  readonly caller: Caller
  /** The group of the client's address. */
  readonly network: string
  readonly isStillAuthorized: () => Promise<boolean>
}

/** Opens the streams, which start with the first call of the handler. */
export function openLive({ db, bus, onError, intervals, limits = defaultLimits }: Options): Live {
  const { pingInterval, flushInterval }: StreamIntervals = {
    pingInterval: defaultPingInterval,
    flushInterval: 1_000,
    ...intervals,
  }
  const subscribers = new Set<Subscriber>()
  let bssids = new Set<string>()
  let notifications = new Set<string>()
  let resources = new Set<string>()
  /** Resources with changed rows that only these vendors and administrators see. */
  let vendorResources = new Map<string, Set<string | null>>()
  /** Accounts that marked their notifications as seen. */
  let seenAccounts = new Set<string>()
  let flushTimer: NodeJS.Timeout | undefined
  let isFlushing = false
  let lastFlush = -Infinity
  let closed = false

  const handleEvent = (event: BusEvent) => {
    if (subscribers.size === 0) return
    if (event.kind === 'progress') return sendProgress(event)
    if (event.kind === 'accessEnded') return void endUnauthorized(event.accounts).catch(onError)
    if (event.kind === 'devices') for (const bssid of event.bssids) bssids.add(bssid)
    if (event.kind === 'notifications') for (const id of event.ids) notifications.add(id)
    if (event.kind === 'resources') for (const name of event.names) resources.add(name)
    if (event.kind === 'vendorResources')
      for (const { resource, vendor } of event.changes) {
        const vendors = vendorResources.get(resource) ?? new Set()
        vendorResources.set(resource, vendors.add(vendor))
      }
    if (event.kind === 'seen') for (const account of event.accounts) seenAccounts.add(account)
    if (event.kind === 'missed') {
      void ping().catch(onError)
      for (const name of allResources) resources.add(name)
    }
    scheduleFlush()
  }

  const sendProgress = ({ account, vendor, id, done, failed, total }: Extract<BusEvent, { kind: 'progress' }>) => {
    const event = encodeEvent('progress', { id, done, failed, total })
    for (const { caller, send } of subscribers)
      if (caller.account === account && caller.vendor === vendor) send(event, [])
  }

  const scheduleFlush = () => {
    const hasChanges = bssids.size + notifications.size + resources.size + vendorResources.size + seenAccounts.size > 0
    if (!hasChanges || isFlushing || flushTimer || closed) return
    const delay = Math.max(flushDelay, lastFlush + flushInterval - performance.now())
    flushTimer = setTimeout(() => {
      flushTimer = undefined
      isFlushing = true
      flush()
        .catch((error: unknown) => {
          onError(error)
          // The changes are lost, so consoles reload everything.
          for (const name of allResources) resources.add(name)
        })
        .finally(() => {
          isFlushing = false
          lastFlush = performance.now()
          scheduleFlush()
        })
    }, delay)
  }

  const flush = async () => {
    const changes = { bssids: [...bssids], notifications: [...notifications] }
    const [reloads, vendorReloads, accounts] = [[...resources], [...vendorResources], seenAccounts]
    bssids = new Set()
    notifications = new Set()
    resources = new Set()
    vendorResources = new Map()
    seenAccounts = new Set()
    const scopes = [...Map.groupBy(subscribers, ({ caller }) => caller.vendor).values()]
    const callers = scopes.map(readers => readers[0]!.caller)
    const messages = await messagesFor(db, callers, changes)
    for (const [index, readers] of scopes.entries()) {
      const caller = callers[index]!
      const visibleReloads = vendorReloads.flatMap(([name, vendors]) => (isVisibleTo(caller, vendors) ? [name] : []))
      const reloaded = new Set([...reloads, ...visibleReloads].filter(name => readable[caller.role].has(name)))
      for (const reader of readers) {
        for (const message of messages[index]!) reader.send(message.event, message.resources)
        if (accounts.has(reader.caller.account))
          reader.send(encodeEvent('seen', {}), [resourceOf(notificationCalls.unseen.path)])
        if (reloaded.size > 0) reader.send(encodeEvent('changed', { resources: [...reloaded] }), [...reloaded])
      }
    }
  }

  /** Ends those streams of these accounts, or limited to these vendors, whose session or key is no longer valid. */
  const endUnauthorized = async (accounts: readonly string[]) => {
    const isAffected = ({ account, vendor }: Caller) =>
      [account, vendor].some(id => id !== null && accounts.includes(id))
    const affected = [...subscribers].filter(({ caller }) => isAffected(caller))
    for (const subscriber of affected) if (!(await subscriber.isStillAuthorized())) subscriber.end()
  }

  /** Pings all streams and ends those whose session has ended, in case an event was lost. */
  const ping = async () => {
    for (const subscriber of subscribers) {
      if (await subscriber.isStillAuthorized()) subscriber.ping()
      else subscriber.end()
    }
  }
  const pingTimer = setInterval(() => void ping().catch(onError), pingInterval).unref()

  const retryAfter = { 'retry-after': String(Math.ceil(pingInterval / 1000)) }
  const refuseTooMany = ({ account }: Caller, network: string) => {
    let ofAccount = 0
    let ofAddress = 0
    for (const subscriber of subscribers) {
      if (subscriber.caller.account === account) ofAccount++
      if (subscriber.network === network) ofAddress++
    }
    if (ofAccount >= limits.account) throw new HttpError(429, 'Too many streams are open for this account', retryAfter)
    if (ofAddress >= limits.address) throw new HttpError(429, 'Too many streams are open from this address', retryAfter)
    if (subscribers.size >= limits.all) throw new HttpError(503, 'Too many streams are open', retryAfter)
  }

  const openStream = async ({
    caller,
    address,
    isStillAuthorized,
  }: Pick<Call, 'caller' | 'address' | 'isStillAuthorized'>): Promise<Readable> => {
    if (closed) throw new HttpError(503, 'The server is stopping', retryAfter)
    const network = addressGroup(address)
    refuseTooMany(caller, network)
    const subscriber: Subscriber = {
      caller,
      network,
      isStillAuthorized,
      ...openReader(() => subscribers.delete(subscriber)),
    }
    subscribers.add(subscriber)
    // The session may have ended while the stream was not yet among those that an event ends.
    try {
      if (!(await isStillAuthorized())) subscriber.end()
    } catch (error) {
      subscriber.stream.destroy()
      throw error
    }
    return subscriber.stream
  }

  const unsubscribe = bus.subscribe(handleEvent)
  return {
    handler: {
      endpoint: contract.open,
      handle: openStream,
    },
    close() {
      closed = true
      unsubscribe()
      clearInterval(pingTimer)
      clearTimeout(flushTimer)
      for (const subscriber of subscribers) subscriber.end()
      setTimeout(() => {
        for (const subscriber of subscribers) subscriber.stream.destroy()
      }, closeTimeout).unref()
    },
  }
}
