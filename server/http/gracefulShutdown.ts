/** Stopping as soon as what is under way has been answered. */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds between two looks at what is open. */
const lookEvery = 50

/**
 * Once the app closes, connections are closed as they come to rest. Node itself does so once, at the beginning: one
 * that is kept alive after a late answer, or that a browser has opened ahead and not used, would keep the server.
 */
export function closeGracefully(app: FastifyInstance): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  let looking: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    looking = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }, lookEvery).unref()
  })
  app.addHook('onClose', async () => clearInterval(looking))
}
