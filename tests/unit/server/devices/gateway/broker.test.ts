/** The embedded broker and the server's own connection to it, without a database. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openBroker } from '../../../../../server/devices/gateway/broker.ts'
import { embeddedTransport } from '../../../../../server/devices/gateway/embeddedTransport.ts'
import { openDropCounter } from '../../../../../server/devices/gateway/rateLimit.ts'
import { openBrokerConnection } from '../../../../../server/devices/gateway/transport.ts'
import { connectDevice } from '../../../../server/support/testDevice.ts'
import { until } from '../../../../support/until.ts'

const log = { info: () => undefined, error: () => undefined }
const anyPort = { host: '127.0.0.1', port: 0, setting: 'MQTT_PORT' } as const
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function start() {
  const handled: string[] = []
  const signIn = async () => ({ accepted: true, at: 0 }) as const
  const broker = await openBroker({ signIn, onSignIn: () => undefined, drops: openDropCounter({ log }), log })
  closers.push(broker.close)
  const transport = embeddedTransport(broker)
  const connection = await openBrokerConnection(
    transport,
    log,
    async ({ payload }) => void handled.push(String(payload)),
  )
  closers.push(connection.close)
  const url = `mqtt://127.0.0.1:${await broker.listen(anyPort)}`
  const device = async (bssid: string) => {
    const connected = await connectDevice({ url, bssid, secret: '', reconnectPeriod: 20 })
    closers.push(() => connected.leave('cut off'))
    return connected
  }
  return { handled, transport, connection, device, url }
}

test('the server reconnects to the broker after its own connection broke, and loses no message', async () => {
  const { handled, transport, device } = await start()
  const { publish } = await device('02:00:00:00:00:01')
  await publish('telemetry', 'before')
  transport.client.stream.destroy()
  await publish('telemetry', 'after')
  await until(() => expect(handled).toEqual(['before', 'after']))
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
  const broker = await openBroker({ signIn, onSignIn: () => undefined, drops: openDropCounter({ log }), log })
  closers.push(broker.close)
  const url = `mqtt://127.0.0.1:${await broker.listen(anyPort)}`
  await expect(connectDevice({ url, bssid: '02:00:00:00:00:01', secret: '' })).rejects.toThrow('Server unavailable')
})

test('a connection that does not say who it is, or only begins to, is closed', async () => {
  const signIn = async () => ({ accepted: true, at: 0 }) as const
  const options = { signIn, onSignIn: () => undefined, drops: openDropCounter({ log }), log }
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
