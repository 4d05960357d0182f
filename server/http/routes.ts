/** The contract as routes: who may call, what is checked, which handler answers. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import { mostUploadBytes } from '../../src/api/contract/uploads.ts'
import { findCaller } from '../auth/sessions.ts'
import { forbidden, HttpError } from '../errors.ts'
import type { Call, Caller, Concerned, Handler, Services } from '../handler.ts'
import { recordChanges } from './audit.ts'
import { checkColumns, inputSchemas, readUpload } from './input.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every endpoint that is not public. */
    caller: Caller | null
    /** Set by a public endpoint that found whose account it is about. */
    concerned: Concerned | null
  }
  interface FastifyContextConfig {
    /** The endpoint that the route was made from. */
    endpoint?: Endpoint
  }
}

/** `/devices/{bssid}` → `/devices/:bssid` */
const routePath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

/** One route per endpoint. Access is checked before the body is read, and for unbuilt endpoints too. */
export function addRoutes(app: FastifyInstance, handlers: readonly Handler[], services: Services): void {
  const built = new Map(handlers.map(({ endpoint, handle }) => [endpoint, handle]))
  app.decorateRequest('caller', null)
  app.decorateRequest('concerned', null)
  recordChanges(app, services)
  for (const endpoint of endpoints) {
    const handle = built.get(endpoint) ?? notBuilt
    app.route({
      method: endpoint.method,
      url: routePath(endpoint.path),
      config: { endpoint },
      schema: inputSchemas(endpoint),
      ...(endpoint.upload ? { bodyLimit: mostUploadBytes * 1.1 } : {}),
      onRequest: async request => {
        await authorise(endpoint, request, services)
      },
      preValidation: async request => {
        if (!endpoint.upload && request.isMultipart())
          throw new HttpError(400, 'The content type must be application/json')
      },
      handler: async request => {
        checkColumns(endpoint, request.query)
        return { data: await handle(await callOf(endpoint, request, services)) }
      },
    })
  }
}

async function notBuilt(): Promise<never> {
  throw new HttpError(501, 'Not built yet')
}

/**
 * Sets the caller, on endpoints that are not public; also where it is refused, for the audit. The role is read at every
 * call, so a change takes effect at once.
 */
async function authorise(endpoint: Endpoint, request: FastifyRequest, services: Services): Promise<void> {
  if (endpoint.roles === 'public') return
  const token = header(request, 'access-token')
  const caller = token === '' ? undefined : await findCaller(services.db, token, services.now())
  if (!caller) throw new HttpError(401, 'Please sign in')
  request.caller = caller
  if (!endpoint.roles.includes(caller.role)) throw forbidden()
}

async function callOf(endpoint: Endpoint, request: FastifyRequest, services: Services): Promise<Call> {
  const call = {
    params: request.params,
    query: request.query,
    body: request.body,
    token: endpoint.tokenHeader === undefined ? '' : header(request, endpoint.tokenHeader),
    address: request.ip,
    services,
    concerns: (account: Concerned) => {
      request.concerned = account
    },
    ...(endpoint.upload ? { file: await readUpload(request) } : {}),
    ...(request.caller ? { caller: request.caller } : {}),
  }
  // `caller` and `file` are absent exactly where the endpoint has none; handlers of such endpoints do not read them.
  return call as Call
}

function header(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}
