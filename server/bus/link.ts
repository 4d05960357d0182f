/** Keeps a channel connected. */
import type { Log } from '../core/log.ts'
import type { Channel, Connection } from './channel.ts'

/** Reconnect delays in milliseconds; the delay doubles up to the maximum. */
const minReconnectDelay = 100
const maxReconnectDelay = 2_000

export interface Link {
  /** `undefined` while the connection is broken. */
  readonly connection: Connection | undefined
  /** How often it broke. */
  readonly disconnects: number
  /** Gives up a connection over which sending failed, and connects again. */
  drop(connection: Connection, error: unknown): void
  close(): Promise<void>
}

interface LinkOptions {
  readonly log: Log
  readonly onPayload: (payload: string) => void
  /** Called when it is connected again; payloads in between are lost. */
  readonly onReconnect: () => void
}

/** Connects, and connects again when the connection breaks. Rejects if the first attempt fails. */
export async function keepConnected(channel: Channel, { log, onPayload, onReconnect }: LinkOptions): Promise<Link> {
  let connection: Connection | undefined
  let disconnects = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const connect = async () => {
    let opened: Connection | undefined
    let loss: { readonly error: unknown } | undefined
    const onLost = (error: unknown) => {
      loss = { error }
      if (opened) drop(opened, error)
    }
    opened = await channel.connect({ onPayload, onLost })
    // It broke before it was returned.
    if (loss) throw loss.error
    connection = opened
  }
  const drop = (broken: Connection, error: unknown) => {
    if (isClosed || connection !== broken) return
    connection = undefined
    disconnects++
    log.error(`The event bus lost its ${channel.target} connection`, error)
    broken.close().catch(() => undefined)
    reconnectAfter(minReconnectDelay)
  }
  const reconnectAfter = (delay: number) => {
    const attempt = async () => {
      try {
        await connect()
      } catch {
        return isClosed ? undefined : reconnectAfter(Math.min(2 * delay, maxReconnectDelay))
      }
      if (isClosed) return connection?.close()
      log.info(`The event bus has its ${channel.target} connection again`)
      return onReconnect()
    }
    timer = setTimeout(() => void attempt(), delay)
  }

  await connect()
  return {
    get connection() {
      return connection
    },
    get disconnects() {
      return disconnects
    },
    drop,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await connection?.close()
    },
  }
}
