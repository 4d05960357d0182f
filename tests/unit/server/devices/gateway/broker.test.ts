/** The embedded broker and the server's own way to it, without a database. */
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
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function start() {
  const handled: string[] = []
  const broker = await openBroker({ signIn: async () => true, drops: openDropCounter({ log }), log })
  closers.push(broker.close)
  const way = embeddedTransport(broker)
  const connection = await openBrokerConnection(way, log, async ({ payload }) => void handled.push(String(payload)))
  closers.push(connection.close)
  await broker.listen('127.0.0.1', 0)
  const url = `mqtt://127.0.0.1:${broker.port}`
  const device = async (bssid: string) => {
    const connected = await connectDevice({ url, bssid, secret: '', reconnectPeriod: 20 })
    closers.push(() => connected.leave('cut off'))
    return connected
  }
  return { handled, way, connection, device, url }
}

test('where its own connection breaks, the server is back and nothing that was said is lost', async () => {
  const { handled, way, device } = await start()
  const { say } = await device('02:00:00:00:00:01')
  await say('telemetry', 'before')
  way.client.stream.destroy()
  await say('telemetry', 'after')
  await until(() => expect(handled).toEqual(['before', 'after']))
})

test('what a device publishes, it and others may not hear', async () => {
  const { handled, device } = await start()
  const speaker = await device('02:00:00:00:00:01')
  const heard: string[] = []
  speaker.client.on('message', topic => heard.push(topic))
  // Retained too: nobody may get it later.
  const options = { qos: 1, retain: true } as const
  await speaker.client.publishAsync('permeate/v1/020000000001/state', 'kept', options)
  const listener = await device('02:00:00:00:00:02')
  listener.client.on('message', topic => heard.push(topic))
  await listener.client.subscribeAsync('permeate/v1/020000000001/state').catch(() => undefined)
  await listener.say('state', 'done')
  expect(handled).toEqual(['kept', 'done'])
  expect(heard).toEqual([])
})

test('where it cannot be told who a device is, it is not let in', async () => {
  const signIn = () => Promise.reject(new Error('The database is gone'))
  const broker = await openBroker({ signIn, drops: openDropCounter({ log }), log })
  closers.push(broker.close)
  await broker.listen('127.0.0.1', 0)
  const url = `mqtt://127.0.0.1:${broker.port}`
  await expect(connectDevice({ url, bssid: '02:00:00:00:00:01', secret: '' })).rejects.toThrow('Server unavailable')
})

test('so many may be there without having signed in; then others are turned away until some have gone', async () => {
  const { device, url } = await start()
  const strangers = await Promise.all(Array.from({ length: 1001 }, () => silentConnection(url)))
  // The broker has taken in the thousand once it turns the one away that is too many.
  await Promise.race(strangers.map(socket => once(socket, 'close')))
  await expect(device('02:00:00:00:00:01')).rejects.toThrow('The connection was closed')
  for (const socket of strangers.slice(0, 10)) socket.destroy()
  await until(() => device('02:00:00:00:00:01'))
  for (const socket of strangers) socket.destroy()
})

async function silentConnection(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined).resume()
  await once(socket, 'connect')
  return socket
}
