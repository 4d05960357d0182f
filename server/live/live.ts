/** The streams to consoles: what the bus tells, gathered for a second at most, to everyone who may see it. */
import type { Readable } from 'node:stream'
import { resourceOf } from '../../src/api/contract/endpoint.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import { events as eventCalls } from '../../src/api/contract/events.ts'
import { notifications as notificationCalls } from '../../src/api/contract/notifications.ts'
import { pingInterval, stream as contract } from '../../src/api/contract/stream.ts'
import type { Role } from '../../src/domain/roles.ts'
import type { Database } from '../db/database.ts'
import { HttpError } from '../core/errors.ts'
import type { Caller, Handler } from '../endpoints/handler.ts'
import { isOfAny, scopeOf } from '../resources/shared/scope.ts'
import type { Bus, BusEvent } from '../bus/bus.ts'
import { eventText } from './events.ts'
import { openReader, type Reader } from './reader.ts'
import { messagesFor } from './scopes.ts'

export interface Live {
  /** What answers `GET /api/v3/stream`. */
  readonly handler: Handler
  /** Ends all streams, so that the server can stop. */
  close(): void
}

/** Milliseconds. */
export interface Pace {
  /** Between two signs of life, and two looks at whether a session still holds. */
  readonly pingEvery: number
  /** Between two tellings of changes, at least. */
  readonly tellEvery: number
}

interface Parts {
  readonly db: Database
  readonly bus: Bus
  /** Where what goes wrong is told. */
  readonly failed: (error: unknown) => void
  readonly pace?: Partial<Pace>
}

/** Milliseconds from the first change until it is told, so that those made together are told together. */
const gather = 20
/** Streams that one account may have open here: each tab in sight has one. */
const maxStreams = 20
/** Devices whose changes are gathered by name; beyond that, lists are to be read again. */
const maxDevices = 20_000
/** Milliseconds that readers have to read to the end when the server stops. */
const endWithin = 1_000

/** The resources of which a role reads anything. */
const readBy = (role: Role): ReadonlySet<string> =>
  new Set(
    endpoints.flatMap(({ method, roles, path }) =>
      method === 'GET' && roles.includes(role) ? [resourceOf(path)] : [],
    ),
  )
const readable: Readonly<Record<Role, ReadonlySet<string>>> = {
  superadmin: readBy('superadmin'),
  admin: readBy('admin'),
  vendor: readBy('vendor'),
}
const everyResource = new Set(Object.values(readable).flatMap(resources => [...resources]))

interface Listening extends Reader {
  readonly caller: Caller
  readonly holds: () => Promise<boolean>
}

export function openLive({ db, bus, failed, pace }: Parts): Live {
  const { pingEvery, tellEvery }: Pace = { pingEvery: pingInterval, tellEvery: 1_000, ...pace }
  const listening = new Set<Listening>()
  let bssids = new Set<string>()
  let notifications = new Set<string>()
  let resources = new Set<string>()
  /** Vendors whose events have changed, and accounts that have seen their notifications. */
  let planned = new Set<string>()
  let seen = new Set<string>()
  let waiting: NodeJS.Timeout | undefined
  let telling = false
  let lastTold = -Infinity
  let closed = false

  const hear = (told: BusEvent) => {
    if (listening.size === 0) return
    if (told.kind === 'progress') return tellProgress(told)
    if (told.kind === 'devices') for (const bssid of told.bssids) bssids.add(bssid)
    if (told.kind === 'notifications') for (const id of told.ids) notifications.add(id)
    if (told.kind === 'resources') for (const name of told.names) resources.add(name)
    if (told.kind === 'events') for (const vendor of told.vendors) planned.add(vendor)
    if (told.kind === 'seen') for (const account of told.accounts) seen.add(account)
    if (told.kind === 'missed') for (const name of everyResource) resources.add(name)
    if (bssids.size > maxDevices) {
      bssids.clear()
      resources.add('devices')
    }
    tellSoon()
  }

  const tellProgress = ({ account, id, done, failed: not, total }: Extract<BusEvent, { kind: 'progress' }>) => {
    const event = eventText('progress', { id, done, failed: not, total })
    for (const one of listening) if (one.caller.account === account) one.send(event, [])
  }

  const tellSoon = () => {
    const any = bssids.size + notifications.size + resources.size + planned.size + seen.size > 0
    if (!any || telling || waiting || closed) return
    const due = Math.max(gather, lastTold + tellEvery - performance.now())
    waiting = setTimeout(() => {
      waiting = undefined
      telling = true
      tell()
        .catch((error: unknown) => {
          failed(error)
          // What could not be read for them they may be able to read for themselves.
          for (const name of everyResource) resources.add(name)
        })
        .finally(() => {
          telling = false
          lastTold = performance.now()
          tellSoon()
        })
    }, due)
  }

  const tell = async () => {
    const changes = { bssids: [...bssids], notifications: [...notifications] }
    const [again, withEvents, looked] = [[...resources], planned, seen]
    bssids = new Set()
    notifications = new Set()
    resources = new Set()
    planned = new Set()
    seen = new Set()
    const scopes = [...Map.groupBy(listening, ({ caller }) => scopeOf(caller)).values()]
    const callers = scopes.map(readers => readers[0]!.caller)
    const messages = await messagesFor(db, callers, changes)
    for (const [at, readers] of scopes.entries()) {
      const caller = callers[at]!
      const own = new Set(again.filter(name => readable[caller.role].has(name)))
      if (isOfAny(caller, withEvents)) own.add(resourceOf(eventCalls.list.path))
      for (const reader of readers) {
        for (const { event, resources: instead } of messages[at]!) reader.send(event, instead)
        if (looked.has(reader.caller.account))
          reader.send(eventText('seen', {}), [resourceOf(notificationCalls.unseen.path)])
        if (own.size > 0) reader.send(eventText('changed', { resources: [...own] }), [...own])
      }
    }
  }

  /** Ends the streams whose session has ended, and shows the others that they are alive. */
  const ping = async () => {
    for (const one of listening) {
      if (await one.holds()) one.ping()
      else one.end()
    }
  }
  const pinging = setInterval(() => void ping().catch(failed), pingEvery).unref()

  const open = (caller: Caller, holds: () => Promise<boolean>): Readable => {
    if (closed) throw new HttpError(503, 'The server is stopping')
    const own = [...listening].filter(one => one.caller.account === caller.account).length
    if (own >= maxStreams)
      throw new HttpError(429, 'Too many streams are open for this account', {
        'retry-after': String(Math.ceil(pingEvery / 1000)),
      })
    const one: Listening = { caller, holds, ...openReader(() => listening.delete(one)) }
    listening.add(one)
    return one.stream
  }

  const stopHearing = bus.subscribe(hear)
  return {
    handler: { endpoint: contract.open, handle: async ({ caller, holds }) => open(caller, holds) },
    close() {
      closed = true
      stopHearing()
      clearInterval(pinging)
      clearTimeout(waiting)
      for (const one of listening) one.end()
      setTimeout(() => {
        for (const one of listening) one.stream.destroy()
      }, endWithin).unref()
    },
  }
}
