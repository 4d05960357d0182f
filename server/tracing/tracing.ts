/** Traces of requests and their queries. */
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'

export interface Tracing {
  /** Traces the routes that are registered after it. */
  requests(app: FastifyInstance): void
  /** Traces the queries of a pool, as parts of the request that waits for them. */
  queries(pool: Pool): void
  /** Sends what is left. */
  close(): Promise<void>
}
