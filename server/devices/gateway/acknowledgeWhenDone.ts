/**
 * Acknowledges MQTT messages once they are processed, while processing others concurrently.
 *
 * The `mqtt` client handles one message at a time: it waits for the callback of `handleMessage` and then sends the
 * acknowledgement of QoS 1. Waiting there until a message is stored would store messages one by one. So the callback is
 * called at once, and the acknowledgement is delayed until the work has resolved.
 */
import type { IPublishPacket, MqttClient, Packet } from 'mqtt'

type Send = (packet: Packet, done?: (error?: Error) => void, ...rest: unknown[]) => void

/**
 * Passes each incoming message to `work` and acknowledges messages of QoS 1 when their work resolves. A message whose
 * work rejects is not acknowledged, so the broker sends it again on the next connection. Returns the running work.
 */
export function acknowledgeWhenDone(
  client: MqttClient,
  work: (message: IPublishPacket) => Promise<unknown>,
): ReadonlySet<Promise<unknown>> {
  const running = new Set<Promise<unknown>>()
  /** Running work of messages that are not acknowledged yet, by message id. */
  const unacknowledged = new Map<number, Promise<unknown>>()
  /** Number of the connection: message ids are only valid within one. */
  let connection = 0
  client.on('close', () => connection++)

  client.handleMessage = (message, done) => {
    const processing = work(message)
    running.add(processing)
    const remove = () => running.delete(processing)
    processing.then(remove, remove)
    if (message.messageId !== undefined) unacknowledged.set(message.messageId, processing)
    done()
  }

  // The client has no public hook between a message and its acknowledgement. Its version is pinned, and
  // acknowledgeWhenDone.test.ts fails if an update breaks this.
  const send: Send = client['_sendPacket'].bind(client)
  const sendWhenProcessed: Send = (packet, done, ...rest) => {
    const id = packet.cmd === 'puback' ? packet.messageId : undefined
    const processing = id === undefined ? undefined : unacknowledged.get(id)
    if (id === undefined || processing === undefined) return send(packet, done, ...rest)
    unacknowledged.delete(id)
    const receivedOn = connection
    processing.then(
      () => {
        if (receivedOn === connection && client.connected) send(packet)
      },
      () => undefined,
    )
    done?.()
  }
  client['_sendPacket'] = sendWhenProcessed
  return running
}
