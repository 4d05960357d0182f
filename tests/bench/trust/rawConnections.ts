/** Connections that a caller opens and does not use as it should, and what the server does with them. */
import { once } from 'node:events'
import { connect, type TcpNetConnectOpts } from 'node:net'
import { readHead } from '../../support/hostile/connection.ts'
import { nameOf } from '../answers.ts'
import { repeat } from '../browser.ts'

export interface RawConnections {
  /** Sends more on those that are still open. */
  send(bytes: string): void
  /** Returns the status that came back on each connection; `closed` or `nothing` without one. */
  answers(): string[]
  /** Returns the milliseconds after which the server closed each of those that it has closed. */
  closedAfter(): number[]
  /** Closes the others. */
  close(): void
}

/** Connections that are opened at a time: fewer than a listener's queue holds, where a silent one can be lost unnoticed. */
const atATime = 200

/** Opens `count` connections, each of which sends a greeting, or nothing. Resolves once all are open. */
export async function openRaw(
  count: number,
  to: TcpNetConnectOpts,
  greeting: string | Buffer = '',
): Promise<RawConnections> {
  let isEnded = false
  const open = async () => {
    const socket = connect(to)
    const one = { socket, received: '', openedAt: performance.now(), closedAt: NaN }
    // What an error means is said by `close`, which follows it.
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => (one.received += bytes.toString('latin1')))
    socket.on('close', () => {
      if (!isEnded) one.closedAt = performance.now()
    })
    await once(socket, 'connect').catch(() => undefined)
    one.openedAt = performance.now()
    if (greeting.length > 0) socket.write(greeting)
    return one
  }
  const all: Awaited<ReturnType<typeof open>>[] = []
  while (all.length < count) all.push(...(await Promise.all(repeat(Math.min(atATime, count - all.length), open))))
  const closed = () => all.filter(({ closedAt }) => !Number.isNaN(closedAt))
  return {
    send: bytes => {
      for (const { socket } of all) if (!socket.destroyed) socket.write(bytes)
    },
    answers: () =>
      all.map(({ received, closedAt }) => {
        if (received.startsWith('HTTP/1.1 ')) return nameOf(readHead(received))
        return Number.isNaN(closedAt) ? 'nothing' : 'closed'
      }),
    closedAfter: () => closed().map(({ openedAt, closedAt }) => closedAt - openedAt),
    close: () => {
      isEnded = true
      for (const { socket } of all) socket.destroy()
    },
  }
}
