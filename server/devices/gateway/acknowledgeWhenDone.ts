/**
 * Acknowledges messages once the work that they are is done, while other messages are being worked on.
 *
 * By itself the `mqtt` client handles one message at a time: the next one waits until `handleMessage` has called back,
 * and the acknowledgement of QoS 1 is sent right then. Waiting there until a message is stored would mean storing them
 * one by one. So here each is called back at once, and the acknowledgement is held until its work has resolved.
 */
import type { IPublishPacket, MqttClient, Packet } from 'mqtt'

type Send = (packet: Packet, done?: (error?: Error) => void, ...more: unknown[]) => void

/**
 * Hands each message that comes in to `work`, and acknowledges those of QoS 1 as their work resolves. One whose work
 * rejects is not acknowledged: the broker sends it again on the next connection. Returns what is under way.
 */
export function acknowledgeWhenDone(
  client: MqttClient,
  work: (message: IPublishPacket) => Promise<unknown>,
): ReadonlySet<Promise<unknown>> {
  const underway = new Set<Promise<unknown>>()
  /** The work of messages that are not called back yet, by message id. */
  const begun = new Map<number, Promise<unknown>>()
  /** Message ids are those of one connection: after the next one begins, they mean other messages. */
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

  // There is no public place between a message and its acknowledgement. The version of the client is pinned, and
  // tests/unit/acknowledging.test.ts fails where this no longer holds back what it should.
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
