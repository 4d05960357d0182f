/**
 * Acknowledges MQTT messages once they are processed, while processing others concurrently.
 *
 * The `mqtt` client handles one message at a time: it waits for the callback of `handleMessage` and then sends the
 * acknowledgement of QoS 1. Waiting there until a message is stored would store messages one by one. So the callback is
 * called at once, and the acknowledgement is delayed until the work has resolved.
 */
import type { IPublishPacket, MqttClient, Packet } from 'mqtt'

type Send = (packet: Packet, done?: (error?: Error) => void, ...more: unknown[]) => void

/**
 * Passes each incoming message to `work` and acknowledges messages of QoS 1 when their work resolves. A message whose
 * work rejects is not acknowledged, so the broker sends it again on the next connection. Returns the running work.
 */
export function acknowledgeWhenDone(
  client: MqttClient,
  work: (message: IPublishPacket) => Promise<unknown>,
): ReadonlySet<Promise<unknown>> {
  const underway = new Set<Promise<unknown>>()
  /** Running work of messages that are not acknowledged yet, by message id. */
  const begun = new Map<number, Promise<unknown>>()
  /** Number of the connection: message ids are only valid within one. */
  let connection = 0
  client.on('close', () => connection++)

  client.handleMessage = (message, done) => {
    const working = work(message)
    underway.add(working)
    const over = () => underway.delete(working)
    working.then(over, over)
    if (message.messageId !== undefined) begun.set(message.messageId, working)
    done()
  }

  // The client has no public hook between a message and its acknowledgement. Its version is pinned, and
  // acknowledgeWhenDone.test.ts fails if an update breaks this.
  const send: Send = client['_sendPacket'].bind(client)
  const sendLater: Send = (packet, done, ...more) => {
    const id = packet.cmd === 'puback' ? packet.messageId : undefined
    const working = id === undefined ? undefined : begun.get(id)
    if (id === undefined || working === undefined) return send(packet, done, ...more)
    begun.delete(id)
    const since = connection
    working.then(
      () => {
        if (since === connection && client.connected) send(packet)
      },
      () => undefined,
    )
    done?.()
  }
  client['_sendPacket'] = sendLater
  return underway
}
