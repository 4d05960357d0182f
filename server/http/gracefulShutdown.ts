/** Stopping as soon as what is under way has been answered. */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds between two looks at what is open. */
const pollInterval = 50

/**
 * Once the app closes, connections are closed as they come to rest. Node itself does so once, at the beginning: one
 * that is kept alive after a late answer, or that a browser has opened ahead and not used, would keep the server.
 */
export function closeGracefully(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, pollInterval).unref()
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
