/** Messages of devices that the embedded broker has received and the server has not finished processing. */
import type { Log } from '../../core/log.ts'
import { throttledLog } from './throttledLog.ts'
import type { DeviceMessage, MessageHandler } from './transport.ts'

/** Maximum bytes of messages that are processed concurrently, which limits memory. */
const maxBytes = 4 * 1024 * 1024

type Done = (handled: boolean) => void

/** Opens the queue of messages for `handle`. */
export function openPendingMessages(handle: MessageHandler, log: Log) {
  const running = new Set<Promise<void>>()
  const waiting = new Map<DeviceMessage, Done>()
  let bytes = 0
  const logThrottled = throttledLog(log)

  const process = async (message: DeviceMessage, done: Done) => {
    const { length } = message.payload
    bytes += length
    let isHandled = true
    try {
      await handle(message)
    } catch (error) {
      isHandled = false
      logThrottled('Could not store messages of devices', error)
    }
    bytes -= length
    done(isHandled)
    startNext()
  }
  const start = (message: DeviceMessage, done: Done) => {
    const processed = process(message, done)
    running.add(processed)
    void processed.finally(() => running.delete(processed))
  }
  const startNext = () => {
    for (const [message, done] of waiting) {
      if (bytes >= maxBytes) return
      waiting.delete(message)
      start(message, done)
    }
  }
  return {
    /**
     * Processes a message, at once or when the limit allows; `done` is called with whether it was handled. An `urgent`
     * message does not wait: it is short, and a person may be waiting for it.
     */
    add(message: DeviceMessage, urgent: boolean, done: Done): void {
      if (urgent || (waiting.size === 0 && bytes < maxBytes)) start(message, done)
      else waiting.set(message, done)
    },
    /** Fails the messages that are not being processed yet, and resolves when the others have been processed. */
    async finish(): Promise<void> {
      const callbacks = [...waiting.values()]
      waiting.clear()
      for (const done of callbacks) done(false)
      while (running.size > 0) await Promise.all(running)
    },
  }
}
