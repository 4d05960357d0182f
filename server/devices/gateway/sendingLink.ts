/** The link of a server without the role gateway: it sends commands, and other servers receive the answers. */
import type { Bus } from '../../bus/bus.ts'
import type { Log } from '../../core/log.ts'
import type { Database, Serving } from '../../db/database.ts'
import { topicOf } from '../../protocol/topics.ts'
import { acknowledgementTimeout, type Link } from '../link.ts'
import { openCommandLink } from './commandLink.ts'
import { openBrokerConnection, type Transport } from './transport.ts'

interface SendingLinkOptions {
  readonly db: Database
  /** For commands that calls send. */
  readonly serving: Pick<Serving, 'db'>
  readonly bus: Bus
  readonly log: Log
  readonly now: () => Date
  /** URL of the external broker; `undefined` if the gateways are the brokers of their devices. */
  readonly mqttUrl: string | undefined
}

/** Opens the link. An external broker that cannot be reached is retried in the background. */
export async function openSendingLink(options: SendingLinkOptions): Promise<Link> {
  const { bus, log, mqttUrl } = options
  const connection =
    mqttUrl === undefined ? undefined : await openBrokerConnection(await publisher(mqttUrl), log, async () => undefined)
  const link = openCommandLink({
    ...options,
    send: async (bssid, command) => {
      if (connection) await connection.send(topicOf(bssid, 'command'), JSON.stringify(command))
      // The gateway that the device is connected to reads the stored command.
      else bus.publish({ kind: 'sent', commands: [{ id: command.id, bssid }] })
    },
  })
  const close = async () => {
    await link.close()
    await connection?.close()
  }
  return { ...link, close }
}

/** Returns a transport that only publishes: the broker keeps no session for it, and other servers need not take it over. */
async function publisher(url: string): Promise<Transport> {
  const { connect } = await import('mqtt')
  return {
    client: connect(url, { protocolVersion: 5, clean: true, connectTimeout: 10_000, reconnectPeriod: 1000 }),
    filters: {},
    expiry: acknowledgementTimeout / 1000,
    unwrap: () => undefined,
    onHandled: () => undefined,
    disconnect: async () => undefined,
  }
}
