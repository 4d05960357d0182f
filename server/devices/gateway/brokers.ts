/**
 * Several servers with an embedded broker each, on one database: a command reaches its device at any of them, and a
 * device that signs in at one is disconnected from the others. The bus says what happened; commands are read from the
 * database.
 */
import { and, eq, gt, inArray, type SQL } from 'drizzle-orm'
import type { Bus, BusEvent } from '../../bus/bus.ts'
import type { Log } from '../../core/log.ts'
import { batched } from '../../core/batches.ts'
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { deviceCommands } from '../../db/schema/wire.ts'
import type { Command } from '../../protocol/messages.ts'
import type { Broker, DeviceConnection } from './broker.ts'
import { throttledLog } from './throttledLog.ts'

export interface Brokers {
  /** Tells the other brokers that a device has signed in here. */
  onSignIn(connection: DeviceConnection): void
  /** Sends a stored command to its device, through the broker that the device is connected to. */
  send(bssid: string, command: Command): Promise<void>
  close(): void
}

interface BrokersOptions {
  readonly db: Database
  readonly bus: Bus
  readonly log: Log
  readonly now: () => Date
  /** The broker of this server. */
  readonly broker: Pick<Broker, 'connectionOf' | 'connections' | 'replace'>
  /** Sends to a device through the broker of this server. */
  readonly deliver: (bssid: string, command: Command) => Promise<void>
}

/** When a device has signed in, by the clock of commands. */
interface SignedIn {
  readonly bssid: string
  readonly at: Date
}

/** Joins the broker of this server with those of the others. */
export function joinBrokers({ db, bus, log, now, broker, deliver }: BrokersOptions): Brokers {
  const id = newId()
  const logThrottled = throttledLog(log)
  const isHere = (bssid: string) => broker.connectionOf(bssid) !== undefined
  const publish = (connected: readonly DeviceConnection[]) => {
    const connections = connected.map(({ bssid, at }) => ({ bssid, at }))
    if (connections.length > 0) bus.publish({ kind: 'connected', broker: id, connections })
  }
  const logFailure = (error: unknown) => logThrottled('Could not deliver stored commands', error)

  /** Delivers commands to those of their devices that are connected here. */
  const deliverStored = (commands: readonly (typeof deviceCommands.$inferSelect)[]) => {
    for (const { id, bssid, command, expires_at } of commands)
      broker
        .connectionOf(bssid)
        ?.subscribed.then(() => deliver(bssid, { id, command, expires_at: expires_at.toISOString() }))
        .catch(logFailure)
  }
  /** Returns the open commands, which are neither answered nor expired. `which` limits them. */
  const openCommands = (which?: SQL) =>
    db
      .select()
      .from(deviceCommands)
      .where(and(eq(deviceCommands.state, 'sent'), gt(deviceCommands.expires_at, now()), which))
  const openCommandsTo = (bssids: Iterable<string>) => openCommands(inArray(deviceCommands.bssid, [...bssids]))
  const deliverById = batched(async (ids: readonly string[]) => {
    deliverStored(await openCommands(inArray(deviceCommands.id, [...ids])))
    return ids.map(() => undefined)
  })
  /**
   * Passes on the commands of devices that have moved to another server. They may have been sent to a connection that the
   * device had already lost. Devices execute a command once, however often they receive it.
   */
  const handOver = batched(async (bssids: readonly string[]) => {
    const commands = (await openCommandsTo(bssids)).map(({ id, bssid }) => ({ id, bssid }))
    if (commands.length > 0) bus.publish({ kind: 'sent', commands })
    return bssids.map(() => undefined)
  })

  /**
   * Delivers what was sent to a device while it had no connection, such as after a restart of its server. What is stored
   * once it has signed in is sent to it anyway.
   */
  const deliverEarlier = batched(async (signedIn: readonly SignedIn[]) => {
    const since = new Map(signedIn.map(({ bssid, at }) => [bssid, at]))
    const commands = await openCommandsTo(since.keys())
    deliverStored(commands.filter(({ bssid, created_at }) => created_at <= since.get(bssid)!))
    return signedIn.map(() => undefined)
  })

  const onConnected = ({ broker: other, connections }: Extract<BusEvent, { kind: 'connected' }>) => {
    const newer: DeviceConnection[] = []
    for (const { bssid, at } of connections) {
      const own = broker.connectionOf(bssid)
      if (own === undefined) continue
      // Of the same microsecond, both servers choose the same one.
      if (own.at < at || (own.at === at && id < other)) {
        broker.replace(bssid)
        handOver(bssid).catch(logFailure)
      }
      // The other server has missed that the device has signed in here since.
      else newer.push(own)
    }
    publish(newer)
  }
  /** Makes up for lost events. */
  const onMissed = () => {
    publish(broker.connections())
    openCommands().then(deliverStored).catch(logFailure)
  }
  const unsubscribe = bus.subscribe(event => {
    if (event.kind === 'connected' && event.broker !== id) onConnected(event)
    if (event.kind === 'missed') onMissed()
    if (event.kind === 'sent')
      for (const { id, bssid } of event.commands) if (isHere(bssid)) deliverById(id).catch(logFailure)
  })
  return {
    onSignIn: connection => {
      publish([connection])
      deliverEarlier({ bssid: connection.bssid, at: now() }).catch(logFailure)
    },
    send: async (bssid, command) => {
      const connection = broker.connectionOf(bssid)
      if (connection) await connection.subscribed.then(() => deliver(bssid, command))
      else bus.publish({ kind: 'sent', commands: [{ id: command.id, bssid }] })
    },
    close: unsubscribe,
  }
}
