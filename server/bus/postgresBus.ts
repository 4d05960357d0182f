/** The bus of several processes on one PostgreSQL: LISTEN and NOTIFY, on a connection of its own. */
import { Client } from 'pg'
import type { Log } from '../core/log.ts'
import { localBus, type Bus, type BusEvent } from './bus.ts'
import { payloadsOf, readPayload } from './payloads.ts'

const channel = 'permeate'
/** Milliseconds for which tellings are gathered, so that many small ones become few. */
const gather = 5
/** Milliseconds between attempts to connect again: the first, and the longest that doubling leads to. */
const firstPause = 100
const maxPause = 10_000
/** Milliseconds after which a connection that does not answer counts as broken. */
const patience = 10_000

/**
 * Connects, or rejects. This process hears its own tellings at once and without the database. While the connection is
 * broken nothing is sent, or heard of others; once it is back, a `missed` says so to those concerned.
 */
export async function postgresBus(databaseUrl: string, log: Log): Promise<Bus> {
  const local = localBus()
  let waiting: BusEvent[] = []
  let sending: NodeJS.Timeout | undefined
  let sent: Promise<void> = Promise.resolve()
  let retrying: NodeJS.Timeout | undefined
  /** Whether anything was told while the connection was broken. */
  let unsent = false
  let closed = false
  /** Undefined while the connection is broken. */
  let client: Client | undefined

  const connect = async () => {
    const next = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: patience,
      query_timeout: patience,
      keepAlive: true,
    })
    let own: number | undefined
    // Unheard, the error of a connection that breaks would end the process.
    next.on('error', error => broken(next, error))
    next.on('end', () => broken(next, new Error('It was closed')))
    next.on('notification', ({ processId, payload = '' }) => {
      // What this process tells was heard when it was told.
      const told = processId === own ? undefined : readPayload(payload)
      if (told) local.publish(told)
    })
    try {
      await next.connect()
      const { rows } = await next.query<{ pid: number }>('select pg_backend_pid() as pid')
      own = rows[0]?.pid
      await next.query(`listen ${channel}`)
    } catch (error) {
      await next.end().catch(() => undefined)
      throw error
    }
    client = next
  }

  const broken = (one: Client, error: unknown) => {
    if (closed || client !== one) return
    client = undefined
    log.error('The connection by which servers tell each other of changes broke', error)
    one.end().catch(() => undefined)
    retry(firstPause)
  }

  const retry = (pause: number) => {
    const again = async () => {
      try {
        await connect()
      } catch {
        return closed ? undefined : retry(Math.min(2 * pause, maxPause))
      }
      if (closed) return client?.end()
      local.publish({ kind: 'missed' })
      if (unsent) later({ kind: 'missed' })
      unsent = false
      return undefined
    }
    retrying = setTimeout(() => void again(), pause)
  }

  const later = (told: BusEvent) => {
    waiting.push(told)
    sending ??= setTimeout(() => {
      sent = send()
    }, gather)
  }

  const send = async () => {
    sending = undefined
    const { payloads, tooLong } = payloadsOf(waiting)
    waiting = []
    if (tooLong > 0) log.error('Something was too long to be told to other servers', new Error(`${tooLong} messages`))
    const to = client
    try {
      await to?.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [channel, payloads])
    } catch (error) {
      unsent = true
      if (to) broken(to, error)
    }
  }

  await connect()
  return {
    publish(told) {
      local.publish(told)
      if (client === undefined) unsent = true
      else if (!closed) later(told)
    },
    subscribe: local.subscribe,
    async close() {
      clearTimeout(retrying)
      clearTimeout(sending)
      await sent
      if (waiting.length > 0) await send()
      closed = true
      await local.close()
      await client?.end().catch(() => undefined)
    },
  }
}
