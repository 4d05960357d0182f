/** The channel over PostgreSQL's LISTEN and NOTIFY, on a dedicated connection. */
import { Client, type ClientConfig } from 'pg'
import { serverLock } from '../db/advisoryLocks.ts'
import type { Channel } from './channel.ts'
import { maxNotifyBytes, notifyChannel } from './notify.ts'

/** Milliseconds; overridden in tests. */
interface Intervals {
  /** Between two questions to the database. */
  readonly pingInterval: number
  /** After which a connection without an answer counts as broken. */
  readonly answerTimeout: number
}
const defaultIntervals: Intervals = { pingInterval: 10_000, answerTimeout: 10_000 }
/**
 * Minimum milliseconds between two batches of hot events: NOTIFY serializes commits across all servers (PostgreSQL
 * documentation).
 */
const hotInterval = 250

/** Returns the channel of a database. Each connection also holds the lock that marks the database as in use. */
export function postgresChannel(
  connection: ClientConfig,
  { pingInterval, answerTimeout }: Intervals = defaultIntervals,
): Channel {
  return {
    target: 'database',
    hotInterval,
    connect: async ({ onPayload, onLost }) => {
      const client = new Client({
        ...connection,
        connectionTimeoutMillis: answerTimeout,
        query_timeout: answerTimeout,
        keepAlive: true,
      })
      let ownPid: number | undefined
      let isLost = false
      const onBroken = (error: unknown) => {
        if (!isLost) onLost(error)
        isLost = true
      }
      // Without a listener, an 'error' event would end the process.
      client.on('error', onBroken)
      client.on('end', () => onBroken(new Error('It was closed')))
      client.on('notification', ({ processId, payload = '' }) => {
        // Events of this process were already delivered locally.
        if (processId !== ownPid) onPayload(payload)
      })
      let pingTimer: NodeJS.Timeout | undefined
      const close = async () => {
        isLost = true
        clearInterval(pingTimer)
        await client.end().catch(() => undefined)
      }
      try {
        await client.connect()
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        ownPid = rows[0]?.pid
        // Held as long as the connection: shows that a server uses the database, and waits while a backup is restored.
        await client.query('select pg_advisory_lock_shared($1)', [serverLock])
        await client.query(`listen ${notifyChannel}`)
        // Where events are sent over NATS it would only listen, and not notice that the other end has gone without a word.
        pingTimer = setInterval(() => void client.query('select').catch(onBroken), pingInterval).unref()
      } catch (error) {
        await close()
        throw error
      }
      return {
        maxPayloadBytes: maxNotifyBytes,
        send: async payloads => {
          await client.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
            notifyChannel,
            payloads,
          ])
        },
        close,
      }
    },
  }
}
