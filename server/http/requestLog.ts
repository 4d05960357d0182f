/** Ids of requests, and a line in the log for each. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const header = 'x-request-id'
const validId = /^[\w.-]{1,64}$/

/** Returns a function that gives a request its id: the one of a trusted proxy, so that both logs can be compared. */
export const requestIds =
  (behindProxy: boolean) =>
  ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const given = headers[header]
    return behindProxy && typeof given === 'string' && validId.test(given) ? given : randomUUID()
  }

/** Returns ids with the responses, and logs requests at the level `debug`; `sendError` logs those that fail. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(header, request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug(
      { req: request, status: reply.statusCode, milliseconds: Math.round(reply.elapsedTime) },
      `${request.method} ${request.url.split('?', 1)[0]} ${reply.statusCode}`,
    )
  })
}
