/** The connection of a simulated device, with a real broker. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Aedes } from 'aedes'
import { expect, onTestFinished, test } from 'vitest'
import type { Reading } from '../../../server/protocol/messages.ts'
import { openConnection } from '../../../simulator/connection.ts'
import { openOutbox } from '../../../simulator/outbox.ts'
import { until } from '../../support/until.ts'
import { restingReading } from '../support/readings.ts'

/** Starts a broker; returns its URL, and the readings of each message that it has received. */
async function startBroker() {
  const broker = await Aedes.createBroker()
  const server = createServer(broker.handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const messages: (readonly Reading[])[] = []
  broker.on('publish', ({ payload }, client) => {
    if (client) messages.push((JSON.parse(payload.toString()) as { readings: Reading[] }).readings)
  })
  onTestFinished(async () => {
    await new Promise<void>(resolve => broker.close(resolve))
    server.close()
  })
  return { url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`, messages }
}

const reading = (minute: number) => restingReading(minute * 60, 2)

test('a reading that the broker has acknowledged is not sent again', async () => {
  const { url, messages } = await startBroker()
  const connection = openConnection({
    url,
    device: { bssid: 'A0:B1:C2:D3:E4:01', secret: 'secret' },
    onUp: () => outbox.open(),
    onClosed: () => undefined,
    onCommand: () => undefined,
  })
  onTestFinished(() => connection.disconnect())
  const outbox = openOutbox(connection.publish)
  for (const minute of [1, 2, 3]) {
    outbox.addReading(reading(minute))
    await until(() => expect(messages).toHaveLength(minute))
  }
  expect(messages).toEqual([1, 2, 3].map(minute => [reading(minute)]))
})
