/** Two servers with an embedded broker each, on one database. */
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { publishWith } from '../../../../server/bus/notify.ts'
import { localBus, type Bus, type BusEvent } from '../../../../server/bus/bus.ts'
import { ConfigError } from '../../../../server/core/config.ts'
import type { Database } from '../../../../server/db/database.ts'
import { createCredentials, storeCredentials } from '../../../../server/devices/gateway/credentials.ts'
import { deviceCommands } from '../../../../server/db/schema/wire.ts'
import { holdBrokerKind, type BrokerKind } from '../../../../server/devices/gateway/brokerKind.ts'
import { freePort } from '../../../support/ports.ts'
import { until } from '../../../support/until.ts'
import { openRecordedBus } from '../../support/buses/buses.ts'
import { startGateways } from '../../support/devices/gatewayHarness.ts'
import type { TestDevice } from '../../support/devices/testDevice.ts'

const tests = await startGateways('embedded')
const { clock, databaseUrl } = tests.server
const [one, other, replacedHere, replacedThere] = tests.bssids as [string, string, string, string]
beforeEach(() => void (tests.states.length = 0))

test('a server with an embedded and one with an external broker refuse to share a database', async () => {
  const log = { info: () => undefined, error: () => undefined }
  const hold = (kind: BrokerKind) => holdBrokerKind(databaseUrl, kind, log)
  const release = await hold('embedded')
  const releaseAnother = await hold('embedded')
  await expect(hold('external')).rejects.toThrow(ConfigError)
  await release()
  await expect(hold('external')).rejects.toThrow('Set MQTT_URL to the same broker for all servers')
  await releaseAnother()
  const releaseExternal = await hold('external')
  await expect(hold('embedded')).rejects.toThrow('Set MQTT_URL to the same broker for all servers')
  await releaseExternal()
})

test('servers with the same kind of broker may start at the same time', async () => {
  const log = { info: () => undefined, error: () => undefined }
  for (const kind of ['embedded', 'external'] as const) {
    const held = await Promise.all(Array.from({ length: 20 }, () => holdBrokerKind(databaseUrl, kind, log)))
    await Promise.all(held.map(release => release()))
  }
})

/** Opens two gateways, each on a bus of its own as in a process of its own. */
async function openTwo(buses?: readonly [Bus, Bus]) {
  const [busA, busB] = buses ?? [(await openRecordedBus(databaseUrl)).bus, (await openRecordedBus(databaseUrl)).bus]
  const ports = [await freePort(), await freePort()] as const
  const [a, b] = [
    await tests.open({ bus: busA, mqttPort: ports[0] }),
    await tests.open({ bus: busB, mqttPort: ports[1] }),
  ]
  const at = (port: number) => ({ url: `mqtt://127.0.0.1:${port}` })
  return { a, b, busA, busB, atA: at(ports[0]), atB: at(ports[1]) }
}

const closing = ({ client }: TestDevice) => new Promise<void>(resolve => client.once('close', () => resolve()))

test('a command at one server reaches devices at either, and is acknowledged', async () => {
  const { a, b, atA, atB } = await openTwo()
  const devices = [await tests.device(one, atA), await tests.device(other, atB)]
  const sent = Array.from({ length: 40 }, (_, at) =>
    (at % 4 < 2 ? a : b).link.send(at % 2 ? one : other, { type: 'flush' }),
  )
  expect(await Promise.all(sent)).toEqual(Array.from({ length: 40 }, () => ({ ok: true })))
  for (const { received } of devices) expect(new Set(received.map(({ id }) => id)).size).toBe(20)
  for (const { received } of devices) expect(received).toHaveLength(20)
})

test('a command to a device that has just moved to the other server reaches it there', async () => {
  const { a, atA, atB } = await openTwo()
  // Its old connection is dead, which the first server does not know yet.
  const first = await tests.device(one, { ...atA, answer: () => undefined })
  const second = await tests.device(one, { ...atB, answer: () => ({ ok: false, reason: 'No water' }) })
  expect(await a.link.send(one, { type: 'flush' })).toEqual({ ok: false, reason: 'No water' })
  // A command is sent again where its delivery is in doubt, and executed once.
  expect(second.executed).toHaveLength(1)
  expect(first.received.length).toBeLessThanOrEqual(1)
})

test('a command to a device without a connection reaches it once it has signed in, at either server', async () => {
  const { a, atA, atB } = await openTwo()
  const isStored = async (bssid: string) => {
    const stored = await tests.server.db.select().from(deviceCommands).where(eq(deviceCommands.bssid, bssid))
    expect(stored.some(({ state }) => state === 'sent')).toBe(true)
  }
  const answers = [one, other].map(bssid => a.link.send(bssid, { type: 'flush' }))
  for (const bssid of [one, other]) await until(() => isStored(bssid))
  const devices = [await tests.device(one, atA), await tests.device(other, atB)]
  expect(await Promise.all(answers)).toEqual([{ ok: true }, { ok: true }])
  // A device that signs in before the event of its command has arrived gets it twice.
  for (const { executed } of devices) expect(executed).toHaveLength(1)
})

test('a device that signs in at one server is disconnected from the other, without its last will', async () => {
  const { a, b, atA, atB } = await openTwo()
  // It does not notice that its connection is gone, as after a change of its network.
  const first = await tests.device(one, atA)
  const closed = closing(first)
  const second = await tests.device(one, atB)
  await closed
  await second.publish('state', { at: clock.now().toISOString(), status: 1 })
  for (const { link } of [a, b]) expect(await link.send(one, { type: 'flush' })).toEqual({ ok: true })
  expect(second.received).toHaveLength(2)
  expect(first.received).toEqual([])
  expect(tests.states).toMatchObject([{ state: { status: 1 } }])

  // And back.
  const again = closing(second)
  const third = await tests.device(one, atA)
  await again
  for (const { link } of [a, b]) expect(await link.send(one, { type: 'flush' })).toEqual({ ok: true })
  expect(third.received).toHaveLength(2)
  expect(tests.states).toHaveLength(1)
})

/** Gives devices new secrets. */
async function replaceSecrets(db: Database, bssids: readonly string[]) {
  await storeCredentials(db, await createCredentials(bssids), clock.now())
}

test('a device with a new secret is disconnected, and its old one is refused', async () => {
  const { atA, atB } = await openTwo()
  const [replaced, kept] = [await tests.device(replacedHere, atA), await tests.device(other, atB)]
  const closed = closing(replaced)
  await tests.server.db.transaction(async tx => {
    await replaceSecrets(tx, [replacedHere])
    await publishWith(tx, [{ kind: 'credentials', bssids: [replacedHere] }])
  })
  await closed
  await expect(tests.device(replacedHere, atB)).rejects.toThrow('Bad username or password')
  await kept.publish('state', { at: clock.now().toISOString(), status: 1 })
})

test('a secret replaced while the bus was interrupted ends the connection once the bus is back', async () => {
  const { busA, atA } = await openTwo([localBus(), localBus()])
  const [replaced, kept] = [await tests.device(replacedThere, atA), await tests.device(other, atA)]
  const closed = closing(replaced)
  await replaceSecrets(tests.server.db, [replacedThere])
  busA.publish({ kind: 'missed' })
  await closed
  await kept.publish('state', { at: clock.now().toISOString(), status: 1 })
})

test('what happened while the bus was interrupted is made up for', async () => {
  const { a, busA, busB, atA, atB } = await openTwo([localBus(), localBus()])
  const first = await tests.device(one, atA)
  const closed = closing(first)
  const second = await tests.device(one, atB)
  const moved = await tests.device(other, atB)
  const answer = a.link.send(other, { type: 'flush' })

  // The buses are joined again. An event does not go back to where it came from.
  const received = new Set<BusEvent>()
  const join = (from: Bus, to: Bus) =>
    from.subscribe(event => {
      if (event.kind === 'missed' || received.delete(event)) return
      setImmediate(() => to.publish(received.add(event) && event))
    })
  join(busA, busB)
  join(busB, busA)
  // The older connection is announced, and the newer one answers that it is newer.
  busA.publish({ kind: 'missed' })
  await closed
  busB.publish({ kind: 'missed' })
  expect(await answer).toEqual({ ok: true })
  expect(moved.executed).toHaveLength(1)
  expect(await a.link.send(one, { type: 'flush' })).toEqual({ ok: true })
  expect(second.executed).toHaveLength(1)
})
