/** The embedded broker, without a database. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openBroker } from '../../../../../server/devices/gateway/broker.ts'
import { openDropCounter } from '../../../../../server/devices/gateway/rateLimit.ts'
import type { MessageHandler } from '../../../../../server/devices/gateway/transport.ts'
import { connectDevice } from '../../../../server/support/devices/testDevice.ts'
import { until } from '../../../../support/until.ts'

const log = { info: () => undefined, error: () => undefined }
const options = {
  signIn: async () => ({ accepted: true, at: 0, hash: '' }) as const,
  onSignIn: () => undefined,
  handle: async () => undefined,
  drops: openDropCounter({ log }),
  log,
}
const anyPort = { host: '127.0.0.1', port: 0, setting: 'MQTT_PORT' } as const
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function start(handle?: MessageHandler) {
  const handled: string[] = []
  const record: MessageHandler = async ({ payload }) => void handled.push(String(payload))
  const broker = await openBroker({ ...options, handle: handle ?? record })
  closers.push(broker.close)
  const url = `mqtt://127.0.0.1:${await broker.listen(anyPort)}`
  const device = async (bssid: string) => {
    const connected = await connectDevice({ url, bssid, secret: '', reconnectPeriod: 20 })
    closers.push(() => connected.leave('cut off'))
    return connected
  }
  return { handled, broker, device, url }
}

test('a message is acknowledged once it is processed, and sent again if that fails', async () => {
  const received: string[] = []
  const stored = Promise.withResolvers<void>()
  const { device } = await start(async ({ topic, payload }) => {
    if (!topic.endsWith('telemetry')) return
    received.push(String(payload))
    if (received.length === 1) throw new Error('The database is gone')
    await stored.promise
  })
  const { publish } = await device('02:00:00:00:00:01')
  let isAcknowledged = false
  const published = publish('telemetry', 'reading').then(() => {
    isAcknowledged = true
  })
  await until(() => expect(received).toEqual(['reading', 'reading']))
  expect(isAcknowledged).toBe(false)
  stored.resolve()
  await published
})

test('a closing broker acknowledges the messages that it is processing, and refuses those that wait', async () => {
  let received = 0
  const stored = Promise.withResolvers<void>()
  const { broker, device } = await start(async () => {
    received++
    await stored.promise
  })
  // 4 MB are processed at once; one message more is begun at the limit.
  const size = 60_000
  const begun = Math.ceil((4 * 1024 * 1024) / size)
  const devices = await Promise.all(
    Array.from({ length: begun + 5 }, (_, index) =>
      device(`02:00:00:00:00:${index.toString(16).toUpperCase().padStart(2, '0')}`),
    ),
  )
  let acknowledged = 0
  for (const { publish } of devices)
    void publish('telemetry', 'x'.repeat(size)).then(
      () => acknowledged++,
      () => undefined,
    )
  await until(() => expect(received).toBe(begun))
  const closed = broker.close()
  stored.resolve()
  await closed
  await until(() => expect(acknowledged).toBe(begun))
  expect(received).toBe(begun)
})

test('neither a device itself nor another one receives what it publishes', async () => {
  const { handled, device } = await start()
  const publisher = await device('02:00:00:00:00:01')
  const received: string[] = []
  publisher.client.on('message', topic => received.push(topic))
  // Retained as well: a later subscriber may not receive it either.
  const options = { qos: 1, retain: true } as const
  await publisher.client.publishAsync('permeate/v1/020000000001/state', 'kept', options)
  const subscriber = await device('02:00:00:00:00:02')
  subscriber.client.on('message', topic => received.push(topic))
  await subscriber.client.subscribeAsync('permeate/v1/020000000001/state').catch(() => undefined)
  await subscriber.publish('state', 'done')
  expect(handled).toEqual(['kept', 'done'])
  expect(received).toEqual([])
})

test('a device cannot connect while its credentials cannot be checked', async () => {
  const signIn = () => Promise.reject(new Error('The database is gone'))
  const broker = await openBroker({ ...options, signIn })
  closers.push(broker.close)
  const url = `mqtt://127.0.0.1:${await broker.listen(anyPort)}`
  await expect(connectDevice({ url, bssid: '02:00:00:00:00:01', secret: '' })).rejects.toThrow('Server unavailable')
})

test('a device whose credentials end while they are checked cannot connect with them', async () => {
  const looked = Promise.withResolvers<void>()
  const checked = Promise.withResolvers<void>()
  const signIn = async () => {
    looked.resolve()
    await checked.promise
    return options.signIn()
  }
  const broker = await openBroker({ ...options, signIn })
  closers.push(broker.close)
  const url = `mqtt://127.0.0.1:${await broker.listen(anyPort)}`
  const bssid = '02:00:00:00:00:01'
  const connecting = connectDevice({ url, bssid, secret: '' })
  await looked.promise
  broker.disconnect([bssid])
  checked.resolve()
  await expect(connecting).rejects.toThrow('Server unavailable')
  // It comes back, and its credentials are looked up again.
  const device = await connectDevice({ url, bssid, secret: '' })
  await device.leave()
})

test('a connection that does not say who it is, or only begins to, is closed', async () => {
  const broker = await openBroker({ ...options, connectTimeout: 50 })
  closers.push(broker.close)
  const url = `mqtt://127.0.0.1:${await broker.listen(anyPort)}`
  const [silent, slow] = [await silentConnection(url), await silentConnection(url)]
  slow.write(Buffer.from([0x10, 0x20, 0x00, 0x04]))
  await Promise.all([silent, slow].map(socket => once(socket, 'close')))
})

test('a thousand silent connections do not keep a device of the same address out', async () => {
  const { device, url } = await start()
  const strangers = await Promise.all(Array.from({ length: 1001 }, () => silentConnection(url)))
  // The one that is too many takes the place of the oldest, and so does the device.
  await once(strangers[0]!, 'close')
  const { publish } = await device('02:00:00:00:00:01')
  await publish('telemetry', 'in')
  expect(strangers.filter(({ closed }) => closed).length).toBeLessThanOrEqual(2)
  for (const socket of strangers) socket.destroy()
})

async function silentConnection(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined).resume()
  await once(socket, 'connect')
  return socket
}
