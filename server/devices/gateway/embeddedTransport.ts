/** The way to the embedded broker: in memory, in the same process. */
import { MqttClient } from 'mqtt'
import { deviceTopics, everyDevice } from '../../protocol/topics.ts'
import type { Broker } from './broker.ts'
import { heldPrefix } from './heldMessages.ts'
import { bytesOf, type Transport } from './transport.ts'

export function embeddedTransport(broker: Broker): Transport {
  const client = new MqttClient(() => broker.connect(), {
    protocolVersion: 4,
    clientId: 'server',
    clean: true,
    // Both ends are this process: neither goes without the other.
    keepalive: 0,
    reconnectPeriod: 100,
    resubscribe: false,
  })
  return {
    client,
    filters: Object.fromEntries(deviceTopics.map(last => [`${heldPrefix}+/${everyDevice(last)}`, { qos: 1 as const }])),
    unwrap: packet => {
      const held = broker.held.topicIn(packet.topic)
      return held && { topic: held.topic, payload: bytesOf(packet), backlog: false }
    },
    settled: ({ topic }, handled) => {
      const held = broker.held.topicIn(topic)
      if (held !== undefined) broker.held.settle(held.number, handled)
    },
    leave: work => work.idle(),
  }
}
