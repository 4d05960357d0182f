/** Messages of devices, on either broker: they are acknowledged once stored, and no device can block others. */
import { describe, expect, test } from 'vitest'
import { maxMessageBytes } from '../../../../server/protocol/messages.ts'
import { topicOf } from '../../../../server/protocol/topics.ts'
import { brokers, startGateways } from '../../support/devices/gatewayHarness.ts'
import { reading } from '../../support/devices/testDevice.ts'
import { until } from '../../../support/until.ts'

describe.each(brokers)('on the %s broker', async broker => {
  const tests = await startGateways(broker)
  const { clock } = tests.server
  const embedded = broker === 'embedded'
  const [one, other] = tests.bssids as [string, string]
  /** Returns distinct readings, a second apart. */
  const readingsFrom = (from: Date, count: number) =>
    Array.from({ length: count }, (_, at) => reading(new Date(from.getTime() + at * 1000)))
  const timesOf = (bssid: string) =>
    tests.readings.filter(each => each.bssid === bssid).map(({ reading: { at } }) => at)

  test('readings and states are received in order', async () => {
    await tests.open()
    const device = await tests.device(one)
    const at = clock.now()
    const readings = readingsFrom(at, 3)
    await device.publish('telemetry', { readings })
    for (const status of [0, 1, 2, 1]) await device.publish('state', { at: at.toISOString(), status })
    await until(() => expect(tests.states.filter(({ bssid }) => bssid === one)).toHaveLength(4))
    const published = tests.states.flatMap(({ state }) => ('status' in state ? [state.status] : []))
    expect(published).toEqual([0, 1, 2, 1])
    await until(() => expect(tests.readings.map(each => each.reading)).toEqual(readings))
  })

  test('a device is offline after its connection broke, but not after it or the server disconnected cleanly', async () => {
    tests.states.length = 0
    const gateway = await tests.open()
    await (await tests.device(one)).leave('cleanly')
    const cut = await tests.device(other)
    await cut.leave('cut off')
    await until(() => expect(tests.states).toEqual([{ bssid: other, state: { offline: true } }]))
    await tests.device(one)
    await gateway.close()
    expect(tests.states).toHaveLength(1)
  })

  test('a message that cannot be stored is not acknowledged, and is delivered again', async () => {
    tests.states.length = 0
    const gateway = await tests.open()
    const device = await tests.device(one, { reconnectPeriod: 100 })
    let attempts = 0
    tests.store = async () => {
      if (++attempts < 2) throw new Error('The disk is full')
    }
    const [only] = readingsFrom(new Date(clock.now().getTime() + 60_000), 1)
    await device.publish('telemetry', { readings: [only] })
    await until(() => expect(timesOf(one)).toContain(only!.at))
    expect(attempts).toBe(2)
    // The embedded broker closes the connection, which does not make the device look offline. Mosquitto may deliver the last
    // will of the previous test here.
    if (embedded) expect(tests.states).toEqual([])
    expect(gateway.log.filter(line => line.includes('Could not store'))).toHaveLength(1)
  })

  test.each<[what: string, payload: string | Buffer, why: string]>([
    ['invalid JSON', 'hello', 'malformed'],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'malformed'],
    ['no content', '', 'malformed'],
    ['no readings', '{"readings":[]}', 'malformed'],
    ['a value out of bounds', JSON.stringify({ readings: [{ ...reading(new Date()), pressure: 99 }] }), 'malformed'],
    ['too many bytes', JSON.stringify({ readings: [], padding: 'x'.repeat(maxMessageBytes) }), 'oversized'],
  ])('a message with %s is dropped, and the next one is received', async (_, payload, why) => {
    const { drops, log } = await tests.open()
    const device = await tests.device(one)
    await device.publish('telemetry', payload)
    const [next] = readingsFrom(new Date(clock.now().getTime() + 120_000), 1)
    await device.publish('telemetry', { readings: [next] })
    await until(() => expect(timesOf(one)).toContain(next!.at))
    // Mosquitto itself drops messages that are too long.
    const isReceived = embedded || why !== 'oversized'
    expect(drops.totals()).toMatchObject({ malformed: 0, oversized: 0, ...(isReceived && { [why]: 1 }) })
    drops.close()
    expect(log).toEqual(isReceived ? [`Dropped from device ${one}: 1 ${why}`] : [])
  })

  test('a packet that is much too long ends its connection and no other', async () => {
    await tests.open()
    const device = await tests.device(one)
    const bystander = await tests.device(other)
    const closed = new Promise<void>(resolve => device.client.once('close', () => resolve()))
    device.client.publish(topicOf(one, 'telemetry'), Buffer.alloc(1024 * 1024), { qos: 1 })
    await closed
    const [next] = readingsFrom(new Date(clock.now().getTime() + 180_000), 1)
    await bystander.publish('telemetry', { readings: [next] })
    await until(() => expect(timesOf(other)).toContain(next!.at))
  })

  test('flooding messages are dropped and counted, and other devices are not affected', async () => {
    const { drops, log } = await tests.open()
    const flooding = await tests.device(one)
    const calm = await tests.device(other)
    const [stale] = readingsFrom(clock.now(), 1)
    const flood = Promise.all(Array.from({ length: 2000 }, () => flooding.publish('telemetry', { readings: [stale] })))
    const calmly = readingsFrom(new Date(clock.now().getTime() + 240_000), 20)
    for (const each of calmly) await calm.publish('telemetry', { readings: [each] })
    await flood
    await until(() => expect(timesOf(other)).toEqual(expect.arrayContaining(calmly.map(({ at }) => at))))
    await until(() => expect(drops.totals().flooding).toBeGreaterThan(1000))
    drops.close()
    expect(log).toHaveLength(1)
    expect(log[0]).toMatch(new RegExp(`^Dropped from device ${one}: \\d+ flooding$`))
  })

  test('messages of a deleted device are dropped', async () => {
    const deleted = tests.bssids.at(-1)!
    const { drops } = await tests.open()
    const device = await tests.device(deleted)
    const closed = new Promise<void>(resolve => device.client.once('close', () => resolve()))
    const { access_token: token } = await tests.server.signIn('admin')
    const answer = await tests.server.call('DELETE', '/api/v3/devices', { token, body: { ids: [deleted] } })
    expect(answer.json()).toMatchObject({ data: { count: 1 } })
    if (embedded) {
      await closed
      await expect(tests.device(deleted)).rejects.toThrow('Bad username or password')
      return
    }
    await device.publish('telemetry', { readings: readingsFrom(clock.now(), 1) })
    await until(() => expect(drops.totals()['unknown device']).toBe(1))
    expect(timesOf(deleted)).toEqual([])
  })
})

describe('on the embedded broker', async () => {
  const tests = await startGateways('embedded')

  test('a message is acknowledged once stored, and the number of pending messages is limited', async () => {
    await tests.open()
    let finishStoring = () => {}
    const storing = new Promise<void>(resolve => (finishStoring = resolve))
    let started = 0
    tests.store = () => {
      started++
      return storing
    }
    const at = tests.server.clock.now()
    // About 9 MB in all.
    const readings = (from: number) =>
      Array.from({ length: 200 }, (_, second) => ({
        ...reading(new Date(at.getTime() + (from * 200 + second) * 1000)),
        padding: 'x'.repeat(120),
      }))
    const devices = await Promise.all(tests.bssids.slice(1, 11).map(bssid => tests.device(bssid)))
    let acknowledged = 0
    const published = devices.flatMap(device =>
      Array.from({ length: 15 }, (_, from) =>
        device.publish('telemetry', { readings: readings(from) }).then(() => acknowledged++),
      ),
    )
    await until(() => expect(started).toBeGreaterThan(30))
    // A short message of another device does not wait for them.
    const other = await tests.device(tests.bssids[0]!)
    await other.publish('state', { at: at.toISOString(), status: 1 })
    expect(started).toBeLessThan(75)
    expect(acknowledged).toBe(0)
    finishStoring()
    await Promise.all(published)
    expect(tests.readings).toHaveLength(10 * 15 * 200)
  })
})
