/** One console that listens. What it does not take in time is not kept for it: it is told to read again instead. */
import { Readable } from 'node:stream'
import { eventText } from './events.ts'

/** Bytes; a message larger than this is still taken whole, and then nothing until it is gone. */
const bufferSize = 64 * 1024
/** Pings for which a reader may take nothing. */
const maxPingsBehind = 4

export interface Reader {
  readonly stream: Readable
  /** Sends an event; while the reader is behind, notes what it will have to read again in place of it. */
  send(event: Buffer, resources: readonly string[]): void
  /** Sends a sign of life, or ends a reader that has taken nothing for too long. */
  ping(): void
  /** Ends the stream; what was sent may still be read. */
  end(): void
}

/** Opens a stream, which begins with a ping; `closed` is called once it has ended, by whichever side. */
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
      push(eventText('changed', { resources }))
    },
    destroy(error, done) {
      onClosed()
      done(error)
    },
  })
  push(eventText('ping', {}))

  return {
    stream,
    send(event, resources) {
      if (canPush) push(event)
      else for (const resource of resources) missed.add(resource)
    },
    ping() {
      if (canPush) push(eventText('ping', {}))
      else if (++pingsBehind > maxPingsBehind) stream.destroy()
    },
    end() {
      // What is behind would never read to the end.
      if (canPush) stream.push(null)
      else stream.destroy()
    },
  }
}
