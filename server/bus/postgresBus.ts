/** The bus over PostgreSQL's LISTEN and NOTIFY, on a dedicated connection. */
import { Client, type ClientConfig } from 'pg'
import type { Log } from '../core/log.ts'
import { serverLock } from '../db/advisoryLocks.ts'
import { localBus, type Bus, type BusEvent } from './bus.ts'
import { channel } from './notify.ts'
import { payloadsOf, readPayload } from './payloads.ts'

/** Milliseconds for which events are batched. */
const batchDelay = 5
/** Reconnect delays in milliseconds; the delay doubles up to the maximum. */
const minReconnectDelay = 100
const maxReconnectDelay = 10_000
/** Milliseconds after which an unresponsive connection counts as broken. */
const connectionTimeout = 10_000

/**
 * Opens the bus; rejects if it cannot connect. Events of this process are delivered locally at once. While the
 * connection is broken, events to and from other processes are lost; after a reconnect, `missed` is published.
 * `isAlone`: no other process listens, so that events are not sent: each NOTIFY is a transaction that reaches the disk.
 */
export async function postgresBus(
  connection: ClientConfig,
  log: Log,
  { isAlone = false }: { readonly isAlone?: boolean } = {},
): Promise<Bus> {
  const local = localBus()
  let queued: BusEvent[] = []
  let sendTimer: NodeJS.Timeout | undefined
  let lastSend: Promise<void> = Promise.resolve()
  let reconnectTimer: NodeJS.Timeout | undefined
  /** Whether events were published while the connection was broken. */
  let hasUnsentEvents = false
  let closed = false
  /** Undefined while the connection is broken. */
  let client: Client | undefined

  const connect = async () => {
    const next = new Client({
      ...connection,
      connectionTimeoutMillis: connectionTimeout,
      query_timeout: connectionTimeout,
      keepAlive: true,
    })
    let ownPid: number | undefined
    // Without a listener, an 'error' event would end the process.
    next.on('error', error => handleDisconnect(next, error))
    next.on('end', () => handleDisconnect(next, new Error('It was closed')))
    next.on('notification', ({ processId, payload = '' }) => {
      // Events of this process were already delivered locally.
      const event = processId === ownPid ? undefined : readPayload(payload)
      if (event) local.publish(event)
    })
    try {
      await next.connect()
      const { rows } = await next.query<{ pid: number }>('select pg_backend_pid() as pid')
      ownPid = rows[0]?.pid
      // Held as long as the connection: shows that a server uses the database, and waits while a backup is restored.
      await next.query('select pg_advisory_lock_shared($1)', [serverLock])
      await next.query(`listen ${channel}`)
    } catch (error) {
      await next.end().catch(() => undefined)
      throw error
    }
    client = next
  }

  const handleDisconnect = (broken: Client, error: unknown) => {
    if (closed || client !== broken) return
    client = undefined
    log.error('The event bus lost its database connection', error)
    broken.end().catch(() => undefined)
    scheduleReconnect(minReconnectDelay)
  }

  const scheduleReconnect = (delay: number) => {
    const attempt = async () => {
      try {
        await connect()
      } catch {
        return closed ? undefined : scheduleReconnect(Math.min(2 * delay, maxReconnectDelay))
      }
      if (closed) return client?.end()
      local.publish({ kind: 'missed' })
      if (hasUnsentEvents) enqueue({ kind: 'missed' })
      hasUnsentEvents = false
      return undefined
    }
    reconnectTimer = setTimeout(() => void attempt(), delay)
  }

  const enqueue = (event: BusEvent) => {
    queued.push(event)
    sendTimer ??= setTimeout(() => {
      lastSend = send()
    }, batchDelay)
  }

  const send = async () => {
    sendTimer = undefined
    const { payloads, tooLong } = payloadsOf(queued)
    queued = []
    if (tooLong > 0) log.error('Events were too long for the event bus', new Error(`${tooLong} messages`))
    const connected = client
    try {
      await connected?.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [channel, payloads])
    } catch (error) {
      hasUnsentEvents = true
      if (connected) handleDisconnect(connected, error)
    }
  }

  await connect()
  return {
    publish(event) {
      local.publish(event)
      if (isAlone) return
      if (client === undefined) hasUnsentEvents = true
      else if (!closed) enqueue(event)
    },
    subscribe: local.subscribe,
    async close() {
      clearTimeout(reconnectTimer)
      clearTimeout(sendTimer)
      await lastSend
      if (queued.length > 0) await send()
      closed = true
      await local.close()
      await client?.end().catch(() => undefined)
    },
  }
}
