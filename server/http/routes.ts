/** Registers the contract's endpoints as routes, with authorization, validation and handlers. */
import { constants } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import { maxUploadBytes } from '../../src/api/contract/uploads.ts'
import { findCaller } from '../auth/sessions.ts'
import { badRequest, forbidden, HttpError } from '../core/errors.ts'
import type { Call, Caller, AuditSubject, Handler, Services } from '../endpoints/handler.ts'
import { publishChange } from '../bus/publishChanges.ts'
import { recordChanges } from './audit.ts'
import { checkColumns, inputSchemas, readUpload } from './input.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set on every endpoint that is not public. */
    caller: Caller | null
    /** The account that a call of a public endpoint is about. */
    auditSubject: AuditSubject | null
    /** Ids of the rows that the call created, if the response does not contain them. */
    createdIds: readonly string[] | null
    /** The vendors that see the changed rows, if the handler knows them. */
    affectedVendors: readonly (string | null)[] | null
  }
  interface FastifyContextConfig {
    /** The endpoint of the route. */
    endpoint?: Endpoint
  }
}

/** `/devices/{bssid}` → `/devices/:bssid` */
const routePath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

/** Adds a route for each endpoint. Access is checked before the body is read, even if there is no handler. */
export function addRoutes(app: FastifyInstance, handlers: readonly Handler[], services: Services): void {
  const handlersByEndpoint = new Map(handlers.map(({ endpoint, handle }) => [endpoint, handle]))
  app.decorateRequest('caller', null)
  app.decorateRequest('auditSubject', null)
  app.decorateRequest('createdIds', null)
  app.decorateRequest('affectedVendors', null)
  recordChanges(app, services)
  for (const endpoint of endpoints) {
    const handle = handlersByEndpoint.get(endpoint) ?? notImplemented
    app.route({
      method: endpoint.method,
      url: routePath(endpoint.path),
      config: { endpoint },
      schema: inputSchemas(endpoint),
      ...(endpoint.stream ? { compress: eventCompression, exposeHeadRoute: false } : {}),
      ...(endpoint.upload ? { bodyLimit: maxUploadBytes * 1.1 } : {}),
      onRequest: async request => {
        await authorize(endpoint, request, services)
      },
      preValidation: async request => {
        if (!endpoint.upload && request.isMultipart())
          throw new HttpError(400, 'The content type must be application/json')
      },
      handler: async (request, reply) => {
        checkColumns(endpoint, request.query)
        const call = await createCall(endpoint, request, services)
        const data = await handle(call)
        if (endpoint.stream) return reply.headers(eventHeaders).send(data)
        publishChange(services.bus, endpoint, call, { response: data, vendors: request.affectedVendors })
        return { data }
      },
    })
  }
}

/**
 * Headers of event streams. Proxies must neither buffer nor transform events. The connection closes with the stream,
 * because a keep-alive connection would delay a shutdown.
 */
const eventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
}
/** Compression of event streams: fast, and flushed after every event. */
const eventCompression = {
  customTypes: /^text\/event-stream/,
  encodings: ['gzip' as const],
  zlibOptions: { level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH },
}

async function notImplemented(): Promise<never> {
  throw new HttpError(501, 'Not implemented yet')
}

/**
 * Authorizes a call and sets its caller, also for calls that are rejected, as the audit log needs it. The role is read
 * from the database on every call, so a change takes effect at once.
 */
async function authorize(endpoint: Endpoint, request: FastifyRequest, services: Services): Promise<void> {
  if (endpoint.roles === 'public') return
  const caller = await callerOf(request, services)
  if (!caller) throw new HttpError(401, 'Please sign in')
  request.caller = caller
  if (!endpoint.roles.includes(caller.role)) throw forbidden()
}

async function callerOf(request: FastifyRequest, { db, now }: Services): Promise<Caller | undefined> {
  const token = header(request, 'access-token')
  return token === '' ? undefined : findCaller(db, token, now())
}

const progressIdPattern = /^[\w-]{1,64}$/
const badProgressId = badRequest('The progress-id must be 1 to 64 letters, digits, dashes and underscores')

function progressIdOf(request: FastifyRequest): string | undefined {
  const id = header(request, 'progress-id')
  if (id === '') return undefined
  if (!progressIdPattern.test(id)) throw badProgressId
  return id
}

async function createCall(endpoint: Endpoint, request: FastifyRequest, services: Services): Promise<Call> {
  const call = {
    params: request.params,
    query: request.query,
    body: request.body,
    token: endpoint.tokenHeader === undefined ? '' : header(request, endpoint.tokenHeader),
    address: request.ip,
    services,
    auditSubject: (account: AuditSubject) => {
      request.auditSubject = account
    },
    auditCreated: (ids: readonly string[]) => {
      request.createdIds = ids
    },
    affectedVendors: (vendors: readonly (string | null)[]) => {
      request.affectedVendors = vendors
    },
    progressId: progressIdOf(request),
    isStillAuthorized: async () => (await callerOf(request, services))?.role === request.caller?.role,
    ...(endpoint.upload ? { file: await readUpload(request) } : {}),
    ...(request.caller ? { caller: request.caller } : {}),
  }
  // `caller` and `file` are absent only on endpoints whose handlers do not use them.
  return call as Call
}

function header(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}
