/**
 * Gateways at one external broker hand on messages, so that one of them stores all of a device's: the broker gives messages
 * to the gateways in turn. A message is acknowledged to the broker once the device's gateway has stored it. If that one does
 * not, the gateway that has received the message stores it, as it may always do: what is stored twice counts once.
 */
import { maxMessageBytes } from '../../protocol/messages.ts'
import { parseDeviceTopic } from '../../protocol/topics.ts'
import type { Post } from '../../bus/post.ts'
import { stopTimeout, withTimeout, type DeviceMessage, type MessageHandler } from './transport.ts'

/** Milliseconds for which a gateway that has not answered gets no more messages: until its lease has ended. */
const silence = 15_000

/** What a gateway hands messages on by. */
export interface HandingOn {
  /** The name of this gateway. */
  readonly id: string
  readonly post: Post
  /** Returns the name of the gateway that has a device. */
  ownerOf(bssid: string): string
}

interface Options extends HandingOn {
  readonly now: () => Date
  /** Handles a message here. */
  readonly receive: MessageHandler
}

/** Returns the handler of the broker's messages, which hands on those of other gateways' devices, and receives theirs. */
export function openHandOn({ id, post, ownerOf, now, receive }: Options): {
  readonly handle: MessageHandler
  /** Takes no more messages of other gateways, and resolves once those that have arrived are handled. */
  close(): Promise<void>
} {
  /** Until when each gateway that has not answered gets no messages, milliseconds of `performance.now()`. */
  const silentUntil = new Map<string, number>()

  /** Returns the other gateway that has a message's device; `undefined` for messages that are handled here. */
  const otherOwnerOf = ({ topic, payload }: DeviceMessage): string | undefined => {
    const source = parseDeviceTopic(topic)
    // The answer to a command changes nothing of its device, and a person may be waiting for it.
    if (source === undefined || source.kind === 'ack' || payload.length > maxMessageBytes) return undefined
    const owner = ownerOf(source.bssid)
    return owner === id || (silentUntil.get(owner) ?? 0) > performance.now() ? undefined : owner
  }
  const handOn = async (owner: string, message: DeviceMessage): Promise<void> => {
    const received = { ...message, receivedAt: now().getTime() }
    const delivery = await post.send(owner, letterOf(received))
    if (delivery === 'handled') return
    if (delivery === 'unanswered') silentUntil.set(owner, performance.now() + silence)
    await receive(received)
  }
  const stopListening = post.listen(id, async letter => receive(messageOf(letter)))
  return {
    handle: message => {
      const owner = otherOwnerOf(message)
      return owner === undefined ? receive(message) : handOn(owner, message)
    },
    close: () => withTimeout(stopTimeout, stopListening()),
  }
}

const newline = '\n'.charCodeAt(0)

/** Returns a message as bytes: a line with all but the payload, which follows it. */
function letterOf({ topic, payload, backlog, receivedAt }: DeviceMessage & { readonly receivedAt: number }): Buffer {
  return Buffer.concat([Buffer.from(`${topic} ${Number(backlog)} ${receivedAt}\n`), payload])
}

/** Returns the message of a letter. @throws for one that another version has sent in another form. */
function messageOf(letter: Uint8Array): DeviceMessage {
  const bytes = Buffer.from(letter.buffer, letter.byteOffset, letter.byteLength)
  const end = bytes.indexOf(newline)
  const [, topic, backlog, receivedAt] = /^(\S+) ([01]) (\d+)$/.exec(bytes.toString('utf8', 0, end)) ?? []
  if (topic === undefined) throw new Error('An invalid message came from another gateway')
  return { topic, payload: bytes.subarray(end + 1), backlog: backlog === '1', receivedAt: Number(receivedAt) }
}
