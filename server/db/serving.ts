/**
 * The database as it serves people: in connections of its own, whose statements have a time-out, and watched, so that a
 * call is answered soon whatever the database does. What the server does by itself (ingest, upkeep) may take longer.
 */
import { statfs } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, Pool, type ClientBase, type PoolClient, type PoolConfig } from 'pg'
import type { Serving, ServeOptions } from './database.ts'
import { areDeviceValuesFilled } from './fillDeviceValues.ts'
import { DatabaseUnreachable, type DatabaseState } from './state.ts'

interface ServingOptions extends ServeOptions {
  readonly connection: PoolConfig
  /** The folder of the data, if it is on this machine. */
  readonly folder: string | undefined
  /** Fills `device_values`, which a crash of the database has emptied. */
  readonly fillValues: () => Promise<void>
}

/** Milliseconds for a statement. */
const defaultStatementTimeout = 20_000
/** Milliseconds for the answer to a check. A call waits a second longer for a connection. */
const defaultAnswerTimeout = 3_000
/** Milliseconds between two checks. */
const checkInterval = 1000

/** Opens the connections, with the first query, and watches the database. */
export function openServing({
  connection: base,
  folder,
  fillValues,
  reserve,
  log,
  statementTimeout = defaultStatementTimeout,
  answerTimeout = defaultAnswerTimeout,
}: ServingOptions): Serving {
  const options = `${base.options ?? ''} -c statement_timeout=${statementTimeout}`
  const connection: PoolConfig = { ...base, connectionTimeoutMillis: answerTimeout + 1_000, options }
  const stopping = new AbortController()
  let isUnreachable = false
  let free = Infinity
  const state: DatabaseState = {
    get isUnreachable() {
      return isUnreachable
    },
    get isFull() {
      return free < reserve
    },
    get isAlmostEmpty() {
      return free < reserve / 2
    },
  }
  let filling: Promise<void> | undefined
  // A crash ends every connection. Until the values are there again calls fail, because lists would lack devices.
  const onConnect = async (client: ClientBase) => {
    if (await areDeviceValuesFilled(drizzle(client as PoolClient))) return
    // Once for all calls: each would wait for a connection of its own.
    filling ??= fillValues()
      .catch((error: unknown) => log.error('Could not fill the newest values of devices', error))
      .finally(() => (filling = undefined))
    throw new DatabaseUnreachable('The newest values of devices are being filled')
  }
  const { pool, breakConnections } = openPool({ ...connection, onConnect }, state)

  const checkAnswer = openCheck(connection, answerTimeout)
  const setUnreachable = (error: unknown) => {
    if (isUnreachable) return
    isUnreachable = true
    log.error('The database does not answer', error)
    // Queries that wait for an answer fail now; a transaction is rolled back when the database notices.
    breakConnections()
  }
  const check = async () => {
    try {
      await checkAnswer.check()
      if (isUnreachable) log.info('The database answers again')
      isUnreachable = false
    } catch (error) {
      if (!stopping.signal.aborted) setUnreachable(error)
    }
  }
  const checkSpace = async (path: string) => {
    const wasFull = state.isFull
    free = await statfs(path).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Infinity,
    )
    if (state.isFull === wasFull) return
    if (wasFull) log.info('The disk has space again: changes are stored again')
    else log.error('The disk is full: nothing is changed until there is space', new Error(`${free} bytes are free`))
  }
  const watch = async (look: () => Promise<void>) => {
    while (!stopping.signal.aborted) {
      await look()
      await wait(checkInterval, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }
  const watching = [watch(check), ...(folder === undefined ? [] : [watch(() => checkSpace(folder))])]
  return {
    db: drizzle(pool),
    pool,
    state,
    close: async () => {
      stopping.abort()
      checkAnswer.close()
      await Promise.all(watching)
      await pool.end()
    },
  }
}

/** Opens a pool that gives no connection while the database does not answer. */
function openPool(connection: PoolConfig, state: DatabaseState) {
  const pool = new Pool(connection)
  const clients = new Set<PoolClient>()
  // The pool replaces broken connections; without listeners, an 'error' event would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', client => {
    clients.add(client)
    client.on('error', () => undefined)
  })
  pool.on('remove', client => clients.delete(client))
  const connect = pool.connect.bind(pool)
  type Done = Parameters<typeof pool.connect>[0]
  const connectIfThere = (done?: Done) => {
    if (!state.isUnreachable) return done ? connect(done) : connect()
    const error = new DatabaseUnreachable('The database does not answer')
    if (!done) return Promise.reject(error)
    return done(error, undefined, () => undefined)
  }
  // The pool's own queries use this method, too.
  pool.connect = connectIfThere as typeof pool.connect
  return {
    pool,
    breakConnections: () => {
      for (const client of clients) socketOf(client).destroy()
    },
  }
}

/** `pg` has no public way to end a connection that does not answer. Its version is pinned. */
const socketOf = (client: unknown) =>
  (client as { readonly connection: { readonly stream: { destroy(): void } } }).connection.stream

/** Asks the database for an answer on a connection that nothing else uses. */
function openCheck(connection: PoolConfig, answerTimeout: number) {
  let client: Client | undefined
  let isClosed = false
  const drop = () => {
    const dropped = client
    client = undefined
    if (dropped) socketOf(dropped).destroy()
  }
  const connect = async () => {
    const next = new Client({
      ...connection,
      connectionTimeoutMillis: answerTimeout,
      query_timeout: answerTimeout,
      keepAlive: true,
    })
    next.on('error', () => undefined)
    client = next
    await next.connect()
    if (isClosed) drop()
  }
  return {
    /** Resolves once it has answered. */
    check: async () => {
      try {
        if (client === undefined) await connect()
        await client?.query('select')
      } catch (error) {
        drop()
        throw error
      }
    },
    close: () => {
      isClosed = true
      drop()
    },
  }
}
