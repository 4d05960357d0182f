/** One open stream with back-pressure: events that a slow client misses are replaced by a request to reload. */
import { Readable } from 'node:stream'
import { encodeEvent } from './events.ts'

/** High-water mark in bytes; a larger event is still accepted whole. */
const bufferSize = 64 * 1024
/** Pings after which a client that reads nothing is disconnected. */
const maxPingsBehind = 4

export interface Reader {
  readonly stream: Readable
  /** Sends an event. While the client is behind, stores the resources instead, which the client then has to reload. */
  send(event: Buffer, resources: readonly string[]): void
  /** Sends a ping, or disconnects a client that has read nothing for too long. */
  ping(): void
  /** Ends the stream; buffered events can still be read. */
  end(): void
}

/** Opens a stream, which begins with a ping; `onClosed` is called once it has ended from either side. */
export function openReader(onClosed: () => void): Reader {
  const missed = new Set<string>()
  let canPush = true
  let pingsBehind = 0

  const push = (event: Buffer) => {
    canPush = stream.push(event)
  }
  const stream = new Readable({
    highWaterMark: bufferSize,
    read() {
      canPush = true
      pingsBehind = 0
      if (missed.size === 0) return
      const resources = [...missed]
      missed.clear()
      push(encodeEvent('changed', { resources }))
    },
    destroy(error, done) {
      onClosed()
      done(error)
    },
  })
  push(encodeEvent('ping', {}))

  return {
    stream,
    send(event, resources) {
      if (canPush) push(event)
      else for (const resource of resources) missed.add(resource)
    },
    ping() {
      if (canPush) push(encodeEvent('ping', {}))
      else if (++pingsBehind > maxPingsBehind) stream.destroy()
    },
    end() {
      // A client that is behind would never reach the end.
      if (canPush) stream.push(null)
      else stream.destroy()
    },
  }
}
