/** Health checks: whether the process lives, and whether it can answer calls. */
import type { FastifyInstance } from 'fastify'
import type { Bus } from '../bus/bus.ts'
import { version } from '../core/version.ts'
import { diskFull, unavailable, type DatabaseState } from '../db/state.ts'
import type { TelemetryStore } from '../telemetry/store.ts'

interface Watched {
  readonly database: DatabaseState
  readonly bus: Pick<Bus, 'state'>
  readonly telemetry: Pick<TelemetryStore, 'canStore'>
}

/**
 * Adds `/health/live`, which answers as long as the process does, and `/health/ready`, also at `/health`, which needs the
 * database. A proxy sends calls only to servers that are ready; a supervisor restarts those that do not live.
 */
export function addHealth(app: FastifyInstance, { database, bus, telemetry }: Watched): void {
  app.get('/health/live', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    return { data: { status: 'ok', version } }
  })
  for (const path of ['/health', '/health/ready'])
    app.get(path, async (_, reply) => {
      reply.header('cache-control', 'no-store')
      const { isUnreachable, isFull } = database
      if (isUnreachable) throw isFull ? diskFull : unavailable
      // Reads go on while the disk is full, and calls without the event bus or ClickHouse, so the server keeps its calls.
      const troubles = [
        ...(isFull ? ['disk full: read only'] : []),
        ...(bus.state().isConnected ? [] : ['event bus disconnected']),
        ...(telemetry.canStore() ? [] : ['telemetry cannot be stored']),
      ]
      return { data: { status: troubles.join(', ') || 'ok', version } }
    })
}
