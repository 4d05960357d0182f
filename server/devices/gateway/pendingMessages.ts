/**
 * Messages of devices whose acknowledgements wait until the server is done with them. Each goes to the server on a
 * topic that carries its number, by which it is found again.
 */

/** Filters of the server begin with it; no device may subscribe to such topics. */
export const pendingPrefix = '$held/'

/** Bytes of messages under way at once. More would be memory without being any faster. */
const maxBytes = 4 * 1024 * 1024

interface Message {
  readonly topic: string
  readonly payload: Buffer
  /** Short, and somebody waits for it: it does not wait for room. */
  readonly urgent: boolean
}
type Done = (handled: boolean) => void

/** `send` brings a message to the server. */
export function openPendingMessages(send: (topic: string, payload: Buffer) => void) {
  const underway = new Map<string, { readonly bytes: number; readonly done: Done }>()
  const waiting = new Map<Message, Done>()
  let bytes = 0
  let serial = 0

  const start = ({ topic, payload }: Message, done: Done) => {
    const number = String(++serial)
    underway.set(number, { bytes: payload.length, done })
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
    /** Brings a message to the server, now or when there is room; `done` is called once it is handled, or cannot be. */
    add(message: Message, done: Done): void {
      if (message.urgent || (waiting.size === 0 && bytes < maxBytes)) start(message, done)
      else waiting.set(message, done)
    },
    /** The number and the device's own topic, of a topic on which the server was sent a message. */
    topicIn(sent: string): { readonly number: string; readonly topic: string } | undefined {
      if (!sent.startsWith(pendingPrefix)) return undefined
      const slash = sent.indexOf('/', pendingPrefix.length)
      return { number: sent.slice(pendingPrefix.length, slash), topic: sent.slice(slash + 1) }
    },
    /** The server is done with a message. */
    settle(number: string, handled: boolean): void {
      const message = underway.get(number)
      if (message === undefined) return
      underway.delete(number)
      bytes -= message.bytes
      message.done(handled)
      startNext()
    },
    /** Nothing that is under way will be handled. */
    failAll(): void {
      const all = [...[...underway.values()].map(({ done }) => done), ...waiting.values()]
      underway.clear()
      waiting.clear()
      bytes = 0
      for (const done of all) done(false)
    },
  }
}
