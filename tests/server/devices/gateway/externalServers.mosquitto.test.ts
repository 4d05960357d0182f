/** Several servers on one Mosquitto share the messages of devices, and none is lost when a server stops. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectAsync } from 'mqtt'
import { beforeEach, expect, test } from 'vitest'
import { startGateways, type OpenGateway, type TestGateways } from '../../support/devices/gatewayHarness.ts'
import { temporaryFolder } from '../../support/harness.ts'
import { reading, type TestDevice } from '../../support/devices/testDevice.ts'
import { until } from '../../../support/until.ts'

const tests = await startGateways('mosquitto')
const { clock, bus } = tests.server
const [one, other] = tests.bssids as [string, string]
beforeEach(() => void (tests.readings.length = 0))

let second = 0
/** Publishes readings, each after the previous one was acknowledged, and returns their times. */
async function publishMany({ publish }: TestDevice, count: number): Promise<string[]> {
  const published: string[] = []
  for (let each = 0; each < count; each++) {
    const next = reading(new Date(clock.now().getTime() + ++second * 1000))
    await publish('telemetry', { readings: [next] })
    published.push(next.at)
  }
  return published
}
const isTakeover = (text: string) => text.startsWith('Took over the MQTT session of a stopped server')
const timesOf = (took: TestGateways['readings']) => took.map(({ reading: { at } }) => at)
/** The times in order, each once: a message is delivered again if its acknowledgement was lost with a connection. */
const distinctTimes = (took: TestGateways['readings']) => [...new Set(timesOf(took))].toSorted()

test('each message goes to one server, and both receive some', async () => {
  const [a, b] = [await tests.open(), await tests.open()]
  const published = await publishMany(await tests.device(one), 40)
  await until(() => expect(timesOf(tests.readings).toSorted()).toEqual(published))
  expect(a.received.length).toBeGreaterThan(5)
  expect(b.received.length).toBeGreaterThan(5)
})

test('a session of an earlier version leaves the group whose name devices can guess', async () => {
  const dataDir = await temporaryFolder()
  const first = await tests.open({ dataDir })
  const session = { clientId: await readFile(join(dataDir, 'server-1', 'mqtt-client-id'), 'utf8'), clean: false }
  // The last server keeps its session.
  await first.close()
  const earlier = await connectAsync(tests.serverUrl(), {
    ...session,
    protocolVersion: 5,
    properties: { sessionExpiryInterval: 60 },
  })
  await earlier.subscribeAsync('$share/permeate/permeate/v1/+/telemetry', { qos: 1 })
  await earlier.endAsync()

  await tests.open({ dataDir })
  const published = await publishMany(await tests.device(one), 10)
  // Once each: in two groups, it would receive each message twice.
  await until(() => expect(timesOf(tests.readings).toSorted()).toEqual(published))
})

test('a command is acknowledged by either server', async () => {
  const [a, b] = [await tests.open(), await tests.open()]
  const devices = [await tests.device(one), await tests.device(other)]
  // Answers go to the servers in turn, so half of them reach the one that did not send the command.
  const asked = Array.from({ length: 40 }, (_, at) =>
    (at % 4 < 2 ? a : b).link.send(at % 2 ? one : other, { type: 'flush' }),
  )
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 40 }, () => ({ ok: true })))
  for (const { executed, received } of devices) {
    expect(executed).toHaveLength(20)
    expect(received).toHaveLength(20)
  }
})

test('a server that stops leaves its messages to the other', async () => {
  const [a, b] = [await tests.open(), await tests.open()]
  const devices = [await tests.device(one), await tests.device(other)]
  const saying = Promise.all(devices.map(device => publishMany(device, 100)))
  await until(() => expect(a.received.length).toBeGreaterThan(10))
  await a.close()
  const published = (await saying).flat()
  await until(() => expect(distinctTimes(tests.readings)).toEqual(published.toSorted()))
  const before = b.received.length
  const later = await publishMany(devices[0]!, 10)
  await until(() => expect(timesOf(b.received.slice(before))).toEqual(expect.arrayContaining(later)))
})

test('messages published while all servers are stopped are received after a restart', async () => {
  const [a, b] = [await tests.open(), await tests.open()]
  const device = await tests.device(one)
  await Promise.all([a.close(), b.close()])
  const published = await publishMany(device, 20)
  expect(tests.readings).toEqual([])
  await Promise.all([tests.open(), tests.open()])
  await until(() => expect(distinctTimes(tests.readings)).toEqual(published))
})

test('a new server takes over the queued messages of the last one, and then receives its own', async () => {
  const last = await tests.open()
  const device = await tests.device(one)
  await last.close()
  const published = await publishMany(device, 20)
  const next = await tests.open({ dataDir: await temporaryFolder() })
  await until(() => expect(distinctTimes(next.received)).toEqual(published))
  await until(() => expect(next.log.some(isTakeover)).toBe(true))
  const later = await publishMany(device, 20)
  await until(() => expect(timesOf(next.received)).toEqual(expect.arrayContaining(later)))
})

test('a takeover whose connection breaks is tried again', async () => {
  const way = await openWay()
  const dataDir = await temporaryFolder()
  await (await tests.open({ dataDir })).close()
  const id = await readFile(join(dataDir, 'server-1', 'mqtt-client-id'), 'utf8')
  const device = await tests.device(one)
  const published = await publishMany(device, 20)
  let attempts = 0
  let end = () => {}
  const never = new Promise<void>(resolve => (end = resolve))
  tests.store = () => {
    attempts++
    return never
  }
  const next = await tests.open({ mqttUrl: way.through, dataDir: await temporaryFolder() })
  await until(() => expect(attempts).toBeGreaterThan(0))
  tests.store = async () => undefined
  // Only the takeover has messages to store; its connection is the newest.
  way.breakNewest()
  end()
  await until(() => expect(next.log).toContain(`Took over the MQTT session of a stopped server (${id})`))
  await until(() => expect(distinctTimes(next.received)).toEqual(expect.arrayContaining(published)))
  way.close()
})

test('a takeover leaves what it cannot store in the session, and is tried again', async () => {
  await (await tests.open()).close()
  const published = await publishMany(await tests.device(one), 20)
  let failed = 0
  tests.store = async () => {
    if (failed < published.length) throw new Error(`The disk is full: ${++failed}`)
  }
  const next = await tests.open({ dataDir: await temporaryFolder() })
  await until(() => expect(timesOf(next.received)).toEqual(expect.arrayContaining(published)))
  await until(() => expect(next.log.some(isTakeover)).toBe(true))
})

test('a server that stops leaves what it cannot store to the others', async () => {
  let failed = 0
  const fail = async () => {
    failed++
    throw new Error('The disk is full')
  }
  const failing = await tests.open({ ingest: { add: fail } })
  const other = await tests.open()
  const published = await publishMany(await tests.device(one), 20)
  await until(() => expect(failed).toBeGreaterThan(0))
  await failing.close()
  await until(() => expect(timesOf(other.received)).toEqual(expect.arrayContaining(published)))
})

test('a takeover that does not reach the broker is tried again, and logged only once it is done', async () => {
  const way = await openWay()
  const dataDir = await temporaryFolder()
  await (await tests.open({ dataDir })).close()
  const published = await publishMany(await tests.device(one), 20)
  // Of the new server only its own connection, the first one, reaches the broker.
  way.interruptNext(1)
  const next = await tests.open({ mqttUrl: way.through, dataDir: await temporaryFolder() })
  await until(() => expect(way.refused()).toBeGreaterThan(0))
  // Longer than opening a connection waits for the broker.
  await wait(6_000)
  expect(next.log.some(isTakeover)).toBe(false)
  way.resume()
  await until(() => expect(next.log.some(isTakeover)).toBe(true))
  await until(() => expect(distinctTimes(next.received)).toEqual(expect.arrayContaining(published)))
  way.close()
})

test('the share of a server whose machine fails is fetched by another once the broker misses its signs of life', async () => {
  const way = await openWay()
  const failing = await tests.open({ keepalive: 1, mqttUrl: way.through, dataDir: await temporaryFolder() })
  const other = await tests.open({ keepalive: 1 })
  const device = await tests.device(one)
  await until(async () => {
    await publishMany(device, 4)
    expect(failing.received.length).toBeGreaterThan(0)
  })
  way.interrupt()
  const published = await publishMany(device, 20)
  // Mosquitto closes the connection after one and a half seconds.
  await until(() => expect(timesOf(other.received)).toEqual(expect.arrayContaining(published)))
  // The session ends after its messages were stored.
  await until(() => expect(other.log.some(isTakeover)).toBe(true))
  way.close()
})

/** Opens a way to the broker that can be interrupted without either end noticing, like a failing machine. */
async function openWay() {
  let target = new URL('mqtt://127.0.0.1')
  const sockets = new Set<Socket>()
  let isInterrupted = false
  /** Further connections that reach the broker. */
  let reaching = Infinity
  let refused = 0
  const server = createServer(near => {
    const isReaching = !isInterrupted && reaching-- > 0
    if (!isReaching) refused++
    const far = !isReaching ? undefined : connect(Number(target.port), target.hostname)
    for (const socket of far ? [near, far] : [near]) sockets.add(socket.on('error', () => undefined))
    if (far) near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    through: (url: string) => {
      target = new URL(url)
      const way = new URL(url)
      way.port = String((server.address() as AddressInfo).port)
      return way.href
    },
    interrupt: () => {
      isInterrupted = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    /** Lets only so many further connections reach the broker. */
    interruptNext: (after: number) => void (reaching = after),
    resume: () => void (reaching = Infinity),
    refused: () => refused,
    breakNewest: () => [...sockets].at(-1)?.destroy(),
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test('queued messages do not count as flooding', async () => {
  await (await tests.open()).close()
  const device = await tests.device(one)
  const published = await publishMany(device, 500)
  const { drops } = await tests.open()
  // Those of earlier tests that no server acknowledged may be delivered again, too.
  await until(() => expect(timesOf(tests.readings)).toEqual(expect.arrayContaining(published)))
  expect(drops.totals().flooding).toBe(0)
})

test('after a broker restart messages that were not stored are received again', async () => {
  const gateway = await tests.open()
  const device = await tests.device(one, { reconnectPeriod: 100 })
  // Messages of the previous test whose acknowledgement was lost are delivered again first.
  const [first] = await publishMany(device, 1)
  await until(() => expect(timesOf(gateway.received)).toContain(first))
  gateway.received.length = 0
  let attempts = 0
  let end = () => {}
  const never = new Promise<void>(resolve => (end = resolve))
  tests.store = () => {
    attempts++
    return never
  }
  const published = await publishMany(device, 5)
  await until(() => expect(attempts).toBeGreaterThanOrEqual(5))
  tests.store = async () => undefined
  await tests.restartBroker()
  await until(() => expect(distinctTimes(gateway.received)).toEqual(published))
  end()
  const lines = gateway.log.filter(text => !isTakeover(text))
  expect(lines).toEqual(['The MQTT broker cannot be reached; trying again', 'The MQTT broker is reachable again'])
  expect(await gateway.link.send(one, { type: 'flush' })).toEqual({ ok: true })
})

test('without a broker a command fails with a reason', async () => {
  const gateway = await tests.open()
  await tests.restartBroker(async () => {
    await until(() => expect(gateway.log.at(-1)).toContain('cannot be reached'))
    expect(await gateway.link.send(one, { type: 'flush' })).toEqual({
      ok: false,
      reason: 'The MQTT broker cannot be reached',
      isUnanswered: true,
    })
    // The server can still be stopped.
    await gateway.close()
  })
})

test('a server that starts before its broker connects later', async () => {
  let gateway: OpenGateway | undefined
  await tests.restartBroker(async () => {
    gateway = await tests.open()
    expect(gateway.log).toEqual(['The MQTT broker cannot be reached; trying again'])
  })
  await until(() => expect(gateway!.log).toContain('The MQTT broker is reachable again'))
  await tests.device(one)
  expect(await gateway!.link.send(one, { type: 'flush' })).toEqual({ ok: true })
})

test('the end of a command is published on the bus', async () => {
  const events: unknown[] = []
  const stop = bus.subscribe(lines => void events.push(lines))
  const { link } = await tests.open()
  await tests.device(one)
  await link.send(one, { type: 'flush' })
  await until(() => expect(events).toMatchObject([{ kind: 'commands', ended: [{ reason: null }] }]))
  stop()
})
