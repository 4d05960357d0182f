/** Authentication and permitted topics of devices, on either broker. */
import { connect, createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { connectAsync } from 'mqtt'
import { describe, expect, test } from 'vitest'
import { topicOf, wireName } from '../../../../server/protocol/topics.ts'
import { brokers, startGateways } from '../../support/devices/gatewayHarness.ts'
import { reading } from '../../support/devices/testDevice.ts'
import { until } from '../../../support/until.ts'

describe.each(brokers)('on the %s broker', async broker => {
  const tests = await startGateways(broker)
  const { clock } = tests.server
  const [one, other] = tests.bssids as [string, string]
  const refused = /Not authorized|Bad username or password/i

  test('a wrong, foreign or missing secret is refused', async () => {
    await tests.open()
    await expect(tests.device(one, { secret: 'wrong' })).rejects.toThrow(refused)
    await expect(tests.device(one, { secret: '' })).rejects.toThrow(refused)
    await expect(tests.device(one, { username: wireName(other) })).rejects.toThrow(/refused/)
    await expect(connectAsync(tests.url(), { reconnectPeriod: 0 }, false)).rejects.toThrow(/refused/)
    await expect(tests.device('02:00:00:00:00:01', { secret: 'any' })).rejects.toThrow(refused)
  })

  test('connections are counted, and that to an external broker is known', async () => {
    const { brokerState } = await tests.open()
    if (brokerState.kind === 'external') {
      expect(brokerState.isConnected()).toBe(true)
      await tests.restartBroker(() => until(() => expect(brokerState.isConnected()).toBe(false)))
      return until(() => expect(brokerState.isConnected()).toBe(true))
    }
    const counts = async () => [await brokerState.countConnections(), brokerState.countDevices()]
    const silent = connect(Number(new URL(tests.url()).port), '127.0.0.1')
    await once(silent, 'connect')
    const device = await tests.device(one)
    await until(async () => expect(await counts()).toEqual([2, 1]))
    await device.leave('cut off')
    silent.destroy()
    await until(async () => expect(await counts()).toEqual([0, 0]))
    await until(() => expect(tests.states).toEqual([{ bssid: one, state: { offline: true } }]))
    // The next test expects none.
    tests.states.length = 0
  })

  test('a device cannot publish for another device or as the server', async () => {
    const { link } = await tests.open()
    const intruder = await tests.device(one)
    const victim = await tests.device(other)
    const at = clock.now()
    const foreign = [
      [topicOf(other, 'telemetry'), { readings: [reading(at)] }],
      [topicOf(other, 'state'), { at: at.toISOString(), status: 4 }],
      [topicOf(other, 'command'), { id: 'forged', expires_at: at.toISOString(), command: { type: 'reboot' } }],
      [topicOf(one, 'command'), { id: 'forged', expires_at: at.toISOString(), command: { type: 'reboot' } }],
      ['permeate/v1', {}],
      ['permeate/servers/other', 'here'],
      ['$held/1/permeate/v1/x/state', {}],
    ] as const
    for (const [topic, content] of foreign)
      await intruder.client.publishAsync(topic, JSON.stringify(content), { qos: 1 })
    // It is still connected, and its own messages are accepted.
    const own = reading(at)
    await intruder.publish('telemetry', { readings: [own] })
    await until(() => expect(tests.readings).toEqual([{ bssid: one, reading: own }]))
    expect(tests.states).toEqual([])
    expect(await link.send(other, { type: 'flush' })).toEqual({ ok: true })
    expect(victim.received).toMatchObject([{ command: { type: 'flush' } }])
    expect(intruder.received).toEqual([])
  })

  test.each([
    'permeate/v1/+/command',
    'permeate/v1/#',
    '#',
    'others',
    '$held/#',
    '$share/permeate/permeate/v1/+/state',
  ])('a device receives nothing by subscribing to %s', async filter => {
    const { link } = await tests.open()
    const topic = filter === 'others' ? topicOf(other, 'command') : filter
    const subscriber = await tests.device(one)
    const topics: string[] = []
    subscriber.client.on('message', receivedTopic => topics.push(receivedTopic))
    await subscriber.client.subscribeAsync(topic, { qos: 1 }).catch(() => undefined)
    const victim = await tests.device(other)
    await victim.publish('state', { at: clock.now().toISOString(), status: 1 })
    expect(await link.send(other, { type: 'flush' })).toEqual({ ok: true })
    // Its own command comes after anything that the broker could have sent before.
    expect(await link.send(one, { type: 'flush' })).toEqual({ ok: true })
    expect(new Set(topics)).toEqual(new Set([topicOf(one, 'command')]))
  })

  test('a device that asks for a share of all readings takes none from the servers', async () => {
    tests.readings.length = 0
    await tests.open()
    const thief = await tests.device(one)
    for (const group of ['permeate', 'permeate-', 'others'])
      await thief.client.subscribeAsync(`$share/${group}/permeate/v1/+/telemetry`, { qos: 1 }).catch(() => undefined)
    const victim = await tests.device(other)
    const sent = Array.from({ length: 20 }, (_, second) => reading(new Date(clock.now().getTime() + second * 1000)))
    for (const each of sent) await victim.publish('telemetry', { readings: [each] })
    await until(() => expect(tests.readings.map(({ reading: { at } }) => at)).toEqual(sent.map(({ at }) => at)))
    // Cut off, they would be offline in the next test.
    for (const device of [thief, victim]) await device.leave()
  })

  test('a last will for another device is not published', async () => {
    tests.states.length = 0
    await tests.open()
    const will = {
      topic: topicOf(other, 'state'),
      payload: Buffer.from('{"offline":true}'),
      qos: 1,
      retain: false,
    } as const
    const intruder = await tests.device(one, { will })
    await intruder.leave('cut off')
    const device = await tests.device(other)
    await device.publish('state', { at: clock.now().toISOString(), status: 0 })
    await until(() => expect(tests.states).toMatchObject([{ bssid: other, state: { status: 0 } }]))
  })

  test('a new connection replaces the previous one', async () => {
    const { link } = await tests.open()
    const first = await tests.device(one)
    const closed = new Promise<void>(resolve => first.client.once('close', () => resolve()))
    const second = await tests.device(one)
    await closed
    expect(await link.send(one, { type: 'flush' })).toEqual({ ok: true })
    expect(first.received).toEqual([])
    expect(second.received).toHaveLength(1)
  })
})

describe('on the embedded broker', async () => {
  const tests = await startGateways('embedded')
  const [one, other] = tests.bssids as [string, string]

  test('however many wrong secrets come from an address, the right one of the same device gets in', async () => {
    const gateway = await tests.open()
    const guess = () => tests.device(one, { secret: 'wrong' })
    const first = await Promise.allSettled(Array.from({ length: 6 }, guess))
    expect(first.every(({ status }) => status === 'rejected')).toBe(true)
    // These are refused later, and the device gets in meanwhile.
    const others = Promise.allSettled(Array.from({ length: 20 }, guess))
    const { publish } = await tests.device(one)
    await publish('state', { at: tests.server.clock.now().toISOString(), status: 0 })
    await tests.device(other)
    await gateway.close()
    expect((await others).every(({ status }) => status === 'rejected')).toBe(true)
    gateway.drops.close()
    expect(gateway.log).toEqual([`Dropped from device ${one}: 26 wrong credentials`])
  })

  test('the last will of a replaced connection is not published, and that of the new one is', async () => {
    tests.states.length = 0
    await tests.open()
    const first = await tests.device(one)
    const closed = new Promise<void>(resolve => first.client.once('close', () => resolve()))
    const second = await tests.device(one)
    await closed
    await second.publish('state', { at: tests.server.clock.now().toISOString(), status: 0 })
    await until(() => expect(tests.states).toMatchObject([{ bssid: one, state: { status: 0 } }]))
    await second.leave('cut off')
    await until(() =>
      expect(tests.states).toMatchObject([{ state: { status: 0 } }, { bssid: one, state: { offline: true } }]),
    )
  })

  test('a client id of another device is refused', async () => {
    await tests.open()
    await expect(tests.device(other, { clientId: 'server' })).rejects.toThrow('Identifier rejected')
    await expect(tests.device(other, { clientId: other })).rejects.toThrow('Identifier rejected')
  })

  test('the error for a port in use names its setting', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    await expect(tests.open({ mqttPort: port })).rejects.toThrow('MQTT_PORT is in use by another program')
    taken.close()
  })
})
