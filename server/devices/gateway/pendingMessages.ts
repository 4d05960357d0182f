/**
 * Pending messages of the embedded broker, which the server has not finished processing. Each is sent to the server on
 * a topic that contains its number.
 */

/** Prefix of these topics; devices cannot subscribe to them. */
export const pendingPrefix = '$held/'

/** Maximum bytes of messages that are processed concurrently, which limits memory. */
const maxBytes = 4 * 1024 * 1024

interface Message {
  readonly topic: string
  readonly payload: Buffer
  /** Whether the message bypasses the limit: it is short and a user may be waiting for it. */
  readonly urgent: boolean
}
type Done = (handled: boolean) => void

/** Opens the store; `send` passes a message to the server. */
export function openPendingMessages(send: (topic: string, payload: Buffer) => void) {
  const inFlight = new Map<string, { readonly bytes: number; readonly done: Done }>()
  const waiting = new Map<Message, Done>()
  let bytes = 0
  let serial = 0

  const start = ({ topic, payload }: Message, done: Done) => {
    const number = String(++serial)
    inFlight.set(number, { bytes: payload.length, done })
    bytes += payload.length
    send(`${pendingPrefix}${number}/${topic}`, payload)
  }
  const startNext = () => {
    for (const [message, done] of waiting) {
      if (bytes >= maxBytes) return
      waiting.delete(message)
      start(message, done)
    }
  }
  return {
    /** Sends a message, now or when the limit allows; `done` is called with whether it was handled. */
    add(message: Message, done: Done): void {
      if (message.urgent || (waiting.size === 0 && bytes < maxBytes)) start(message, done)
      else waiting.set(message, done)
    },
    /** Returns the message number and the device's topic in a topic that the server received. */
    topicIn(sent: string): { readonly number: string; readonly topic: string } | undefined {
      if (!sent.startsWith(pendingPrefix)) return undefined
      const slash = sent.indexOf('/', pendingPrefix.length)
      return { number: sent.slice(pendingPrefix.length, slash), topic: sent.slice(slash + 1) }
    },
    /** Completes a message. */
    settle(number: string, handled: boolean): void {
      const message = inFlight.get(number)
      if (message === undefined) return
      inFlight.delete(number)
      bytes -= message.bytes
      message.done(handled)
      startNext()
    },
    /** Fails all pending messages. */
    failAll(): void {
      const callbacks = [...[...inFlight.values()].map(({ done }) => done), ...waiting.values()]
      inFlight.clear()
      waiting.clear()
      bytes = 0
      for (const done of callbacks) done(false)
    },
  }
}
