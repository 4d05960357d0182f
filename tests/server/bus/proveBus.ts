/** What every bus between processes does, whatever carries its events. Each bus here acts as one process. */
import { expect, test } from 'vitest'
import type { BusEvent } from '../../../server/bus/bus.ts'
import { openBus } from '../../../server/bus/openBus.ts'
import { publishWith } from '../../../server/bus/notify.ts'
import type { BusKind } from '../../../src/domain/columns/servers.ts'
import { startProxy } from '../../support/proxy.ts'
import { until } from '../../support/until.ts'
import { changed, openRecordedBus } from '../support/buses/buses.ts'
import type { TestServer } from '../support/harness.ts'

interface Addresses {
  readonly databaseUrl: string
  readonly natsUrl?: string
}

interface Subject {
  readonly kind: BusKind
  readonly server: Pick<TestServer, 'db' | 'databaseUrl'>
  readonly natsUrl?: string
}

/** Defines the tests of a kind of bus. */
export function proveBus({ kind, server, natsUrl }: Subject): void {
  const addresses: Addresses = { databaseUrl: server.databaseUrl, ...(natsUrl !== undefined && { natsUrl }) }
  /** The address over which events are sent. */
  const carrier = natsUrl === undefined ? 'databaseUrl' : 'natsUrl'
  const withPort = (port: number): Addresses => {
    const url = new URL(addresses[carrier]!)
    url.port = String(port)
    return { ...addresses, [carrier]: url.href }
  }
  const open = (at = addresses) => openRecordedBus(at.databaseUrl, at.natsUrl)
  /** Opens a bus that events reach through a proxy. */
  const openProxied = async () => {
    const proxy = await startProxy(Number(new URL(addresses[carrier]!).port))
    return { ...(await open(withPort(proxy.port))), proxy }
  }
  const devicesOf = (received: readonly BusEvent[]) =>
    received.flatMap(event => (event.kind === 'devices' ? event.bssids : []))

  test('events of all kinds reach other processes', async () => {
    const [one, two] = [await open(), await open()]
    const events: BusEvent[] = [
      changed('A4:1C:09:7E:33:0B'),
      { kind: 'notifications', ids: ['n1'] },
      { kind: 'resources', names: ['vendors'] },
      { kind: 'accessEnded', accounts: ['a'] },
      { kind: 'sent', commands: [{ id: 'c2', bssid: 'A4:1C:09:7E:33:0B' }] },
      { kind: 'connected', broker: 'b', connections: [{ bssid: 'A4:1C:09:7E:33:0B', at: 1_700_000_000_000.125 }] },
      { kind: 'commands', ended: [{ id: 'c1', reason: 'Gerät “ist” weg', isUnanswered: true }] },
      { kind: 'server', id: 's' },
      { kind: 'progress', account: 'a', vendor: null, id: 'p', done: 1, failed: 2, total: 3 },
    ]
    for (const each of events) one.bus.publish(each)
    await until(() => expect(two.received).toHaveLength(events.length))
    expect(two.received).toEqual(expect.arrayContaining(events))
    expect(one.received).toEqual(events)
    expect(two.bus.state()).toEqual({ kind, isConnected: true, sent: 0, received: events.length, disconnects: 0 })
    // A payload counts as sent once the carrier has confirmed it, which may be after others have received it.
    await until(() => expect(one.bus.state()).toMatchObject({ sent: events.length, received: 0 }))
  })

  test('events of 10,000 devices arrive in messages of the allowed size, each device once', async () => {
    const [one, two] = [await open(), await open()]
    const bssids = Array.from({ length: 10_000 }, (_, at) => `A4:1C:09:7E:${String(at).padStart(5, '0')}`)
    for (const bssid of bssids) one.bus.publish(changed(bssid, bssid))
    await until(() => expect(devicesOf(two.received)).toHaveLength(bssids.length))
    expect(devicesOf(two.received).toSorted()).toEqual(bssids)
    // A message of PostgreSQL holds about 400 devices.
    expect(two.received.length).toBeLessThan(100)
  })

  test('what a command on a machine publishes in a transaction reaches all processes', async () => {
    const [one, two] = [await open(), await open()]
    const ended: BusEvent = { kind: 'accessEnded', accounts: ['a'] }
    await server.db.transaction(tx => publishWith(tx, [ended]))
    for (const { received } of [one, two]) await until(() => expect(received).toEqual([ended]))
  })

  test('a bus connects again after its connection broke, and all processes receive a missed event', async () => {
    const [one, two] = [await open(), await openProxied()]
    expect(two.bus.state()).toMatchObject({ isConnected: true })
    two.proxy.interrupt()
    await until(() => expect(two.log.join()).toMatch(/lost its (database|NATS) connection/))
    expect(two.bus.state()).toMatchObject({ isConnected: false, disconnects: 1 })
    two.bus.publish(changed('Lost'))
    expect(two.received).toEqual([changed('Lost')])
    // Received by nobody, and the publisher knows it.
    one.bus.publish(changed('Gone'))
    // Its end is not known before it was to be sent.
    two.bus.publish({ kind: 'resources', names: ['lost'] })
    two.proxy.restore()
    await until(() => expect(two.received).toContainEqual({ kind: 'missed' }))
    await until(() => expect(one.received).toContainEqual({ kind: 'missed' }))
    expect(one.log).toEqual([])
    // Logged once, however many attempts there were.
    expect(two.log).toHaveLength(2)
    expect(two.bus.state()).toMatchObject({ isConnected: true, disconnects: 1 })

    two.bus.publish(changed('B'))
    await until(() => expect(devicesOf(one.received)).toContain('B'))
    one.bus.publish(changed('A'))
    await until(() => expect(devicesOf(two.received)).toContain('A'))
  })

  test('an event on its way when the connection breaks counts as lost, and does not keep the bus from closing', async () => {
    const [one, two, three] = [await open(), await openProxied(), await openProxied()]
    for (const { bus, proxy } of [two, three]) {
      const hasArrived = proxy.hold()
      bus.publish(changed('Lost'))
      await until(() => expect(hasArrived()).toBe(true))
      proxy.interrupt()
    }
    await until(() => expect(three.bus.state().isConnected).toBe(false))
    await three.bus.close()
    two.proxy.restore()
    await until(() => expect(one.received).toEqual([{ kind: 'missed' }]))
  })

  test('an idle process whose connection broke tells only itself', async () => {
    const [one, two] = [await open(), await openProxied()]
    two.proxy.interrupt()
    two.proxy.restore()
    await until(() => expect(two.received).toEqual([{ kind: 'missed' }]))
    two.bus.publish(changed('A'))
    await until(() => expect(one.received).toEqual([changed('A')]))
  })

  test('closing a bus still sends its last events', async () => {
    const [one, two] = [await open(), await open()]
    one.bus.publish(changed('A'))
    // Not sent at once, because it follows another one.
    one.bus.publish({ kind: 'resources', names: ['vendors'] })
    await one.bus.close()
    one.bus.publish(changed('B'))
    await until(() => expect(two.received).toHaveLength(2))
    expect(devicesOf(two.received)).toEqual(['A'])
  })

  test('opening a bus rejects at once if its address does not answer', async () => {
    const log = { info: () => undefined, error: () => undefined }
    await expect(openBus(withPort(1), log)).rejects.toThrow(/refused|ECONNREFUSED/)
  })
}
