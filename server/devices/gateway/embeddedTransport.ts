/** Transport to the embedded broker: in memory, within the process. */
import { MqttClient } from 'mqtt'
import { deviceTopics, allDevicesFilter } from '../../protocol/topics.ts'
import type { Broker } from './broker.ts'
import { pendingPrefix } from './pendingMessages.ts'
import { bytesOf, type Transport } from './transport.ts'

/** Returns the transport to an embedded broker. */
export function embeddedTransport(broker: Broker): Transport {
  const client = new MqttClient(() => broker.connect(), {
    protocolVersion: 4,
    clientId: 'server',
    clean: true,
    // Both ends are in this process, so keep-alive is not needed.
    keepalive: 0,
    reconnectPeriod: 100,
    resubscribe: false,
  })
  return {
    client,
    filters: Object.fromEntries(
      deviceTopics.map(kind => [`${pendingPrefix}+/${allDevicesFilter(kind)}`, { qos: 1 as const }]),
    ),
    unwrap: packet => {
      const pending = broker.pendingMessages.topicIn(packet.topic)
      return pending && { topic: pending.topic, payload: bytesOf(packet), backlog: false }
    },
    onHandled: ({ topic }, succeeded) => {
      const pending = broker.pendingMessages.topicIn(topic)
      if (pending !== undefined) broker.pendingMessages.settle(pending.number, succeeded)
    },
    disconnect: work => work.idle(),
  }
}
