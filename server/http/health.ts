/** Health checks: whether the process lives, and whether it can answer calls. */
import type { FastifyInstance } from 'fastify'
import type { Bus } from '../bus/bus.ts'
import { version } from '../core/version.ts'
import { diskFull, unavailable, type DatabaseState } from '../db/state.ts'

/**
 * Adds `/health/live`, which answers as long as the process does, and `/health/ready`, also at `/health`, which needs the
 * database. A proxy sends calls only to servers that are ready; a supervisor restarts those that do not live.
 */
export function addHealth(app: FastifyInstance, database: DatabaseState, bus: Pick<Bus, 'state'>): void {
  app.get('/health/live', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    return { data: { status: 'ok', version } }
  })
  for (const path of ['/health', '/health/ready'])
    app.get(path, async (_, reply) => {
      reply.header('cache-control', 'no-store')
      const { isUnreachable, isFull } = database
      if (isUnreachable) throw isFull ? diskFull : unavailable
      // Reads go on while the disk is full, and calls without the event bus, so the server is not to be restarted.
      const status = isFull ? 'disk full: read only' : bus.state().isConnected ? 'ok' : 'event bus disconnected'
      return { data: { status, version } }
    })
}
