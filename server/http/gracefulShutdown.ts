/** Graceful shutdown: waits for running requests and closes idle connections. */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds between two checks for idle connections. */
const pollInterval = 50

/**
 * Closes connections as they become idle while the app closes. Node does so only once, at the beginning, so a
 * keep-alive connection after a late response, or one that a browser opened in advance, would block the shutdown.
 */
export function closeGracefully(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  const add = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  app.server.on('connection', add)
  // Of HTTPS: each counts the bytes that it has decrypted.
  app.server.on('secureConnection', add)
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, pollInterval).unref()
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
