/** A TCP proxy between a program and a service, which a test can interrupt. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Proxy {
  readonly port: number
  /** Keeps what comes from now on, until `interrupt`. Returns how to ask whether anything came. */
  hold(): () => boolean
  /** Breaks all connections. New ones are refused until `restore`. */
  interrupt(): void
  restore(): void
}

/** Starts a proxy to a port of this machine; it is closed after the test. */
export async function startProxy(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isInterrupted = false
  /** What was kept; undefined while data is passed on. */
  let held: Buffer[] | undefined
  const join = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', (data: Buffer) => void (held ? held.push(data) : to.write(data)))
    from.on('end', () => to.end())
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer(near => {
    if (isInterrupted) return void near.destroy()
    const far = connect(port, '127.0.0.1')
    join(near, far)
    join(far, near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    server.close()
    breakAll()
  })
  return {
    port: (server.address() as AddressInfo).port,
    hold: () => {
      const kept: Buffer[] = []
      held = kept
      return () => kept.length > 0
    },
    interrupt: () => {
      isInterrupted = true
      held = undefined
      breakAll()
    },
    restore: () => {
      isInterrupted = false
    },
  }
}
