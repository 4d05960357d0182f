import { expect, test } from 'vitest'
import { maxMessages, openBrokerConnection } from '../../../../../server/devices/gateway/transport.ts'
import { until } from '../../../../support/until.ts'
import { acknowledged, memoryClient, message, type Connection } from './memoryBroker.ts'

const log = { info: () => undefined, error: () => undefined }

/** Opens a connection. The messages that it handles end once `store` is called; `counts.received` are all that arrived. */
async function open() {
  const { mqtt, connections } = memoryClient()
  const { promise: stored, resolve: store } = Promise.withResolvers<void>()
  const counts = { received: 0, handled: 0 }
  const transport = {
    client: mqtt,
    filters: {},
    unwrap: ({ topic }: { topic: string }) => {
      counts.received++
      return { topic, payload: Buffer.of(), backlog: false }
    },
    onHandled: () => undefined,
    disconnect: () => Promise.resolve(),
  }
  await openBrokerConnection(transport, log, async () => {
    counts.handled++
    await stored
  })
  return { connections, counts, store }
}

const ids = Array.from({ length: maxMessages }, (_, index) => index + 1)
const sendAll = (broker: Connection) => {
  for (const id of ids) broker.send(message(id))
}

test('what a broker sends again on new connections does not pile up, and is acknowledged once there is room', async () => {
  const { connections, counts, store } = await open()
  const connected = 4
  for (let index = 0; index < connected; index++) {
    await until(() => expect(connections[index]?.received).toHaveLength(1))
    sendAll(connections[index]!)
    await until(() => expect(counts.received).toBe((index + 1) * maxMessages))
    if (index < connected - 1) connections[index]!.cut()
  }
  expect(counts.handled).toBe(maxMessages)
  store()
  await until(() => expect(new Set(acknowledged(connections.at(-1)!))).toEqual(new Set(ids)))
  expect(counts.handled).toBe(2 * maxMessages)
})
