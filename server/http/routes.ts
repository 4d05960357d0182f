/** Registers the contract's endpoints as routes, with authorization, validation and handlers. */
import { createHash } from 'node:crypto'
import { constants } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import { endpoints } from '../../src/api/contract/all/endpoints.ts'
import { badRequest, HttpError } from '../core/errors.ts'
import { collectLater } from '../core/heap.ts'
import type {
  AuditOutcome,
  AuditSubject,
  AuditValues,
  Call,
  Caller,
  Handler,
  Services,
  UploadedFile,
} from '../endpoints/handler.ts'
import type { Database } from '../db/database.ts'
import { unavailable } from '../db/state.ts'
import { isDryRun, takesIdempotencyKey } from '../bus/audited.ts'
import { publishChange } from '../bus/publishChanges.ts'
import type { Slot } from '../core/workQueue.ts'
import { authorize, clientOf, header, isStillAuthorized } from './access.ts'
import { recordChanges, type ChangeRecorder } from './audit.ts'
import { parseIdempotencyKey, runOnce } from './idempotency.ts'
import {
  bodyLimitOf,
  bodyPace,
  checkColumns,
  dropEmptyParameters,
  endingInTime,
  inputSchemas,
  readUpload,
  rejectLargeBody,
  type BodyPace,
  maxUploadBody,
} from './input.ts'
import { openKnownTokens } from './knownTokens.ts'
import { turnOf, type Queues } from './queues.ts'
import { inTurn, keepingSlot, refuseWithoutRoom, takeTurn } from './turns.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set on every endpoint that is not public. */
    caller: Caller | null
    /** Ids of the rows that the call created, if the response does not contain them. */
    createdIds: readonly string[] | null
    /** What is recorded of the outcome of a successful call, if its response does not say it. */
    auditOutcome: AuditOutcome | null
    /** The vendors that see the changed rows, if the handler knows them. */
    affectedVendors: readonly (string | null)[] | null
    /** Whether the response is that of an earlier call with the same idempotency key. */
    isReplayed: boolean
    /** The call's place among those of its kind; null before it has one. */
    slot: Slot | null
  }
  interface FastifyContextConfig {
    /** The endpoint of the route. */
    endpoint?: Endpoint
  }
}

/** `/devices/{bssid}` → `/devices/:bssid` */
const routePath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

/**
 * Adds a route for each endpoint. Access is checked before the body is read, even if there is no handler. A call of an account
 * waits for its turn before its body is read, too: so bodies of one caller are neither in memory nor parsed all at once.
 */
export function addRoutes(
  app: FastifyInstance,
  handlers: readonly Handler[],
  services: Services,
  { queues, pace = bodyPace }: { readonly queues: Queues; readonly pace?: BodyPace },
): void {
  const handlersByEndpoint = new Map(handlers.map(({ endpoint, handle }) => [endpoint, handle]))
  app.decorateRequest('caller', null)
  app.decorateRequest('createdIds', null)
  app.decorateRequest('auditOutcome', null)
  app.decorateRequest('affectedVendors', null)
  app.decorateRequest('isReplayed', false)
  app.decorateRequest('slot', null)
  const context = { services, recorder: recordChanges(app, services), queues, pace }
  const accessTurns = { queue: queues.access, knownTokens: openKnownTokens() }
  for (const endpoint of endpoints) {
    const handle = handlersByEndpoint.get(endpoint) ?? notImplemented
    app.route({
      method: endpoint.method,
      url: routePath(endpoint.path),
      config: { endpoint },
      schema: inputSchemas(endpoint),
      ...(endpoint.stream ? { compress: eventCompression, exposeHeadRoute: false } : {}),
      bodyLimit: endpoint.upload ? maxUploadBody : bodyLimitOf(endpoint),
      onRequest: async request => {
        if (services.database.isUnreachable) throw unavailable
        // Before anything is read for it, from the connection or the database.
        if (!endpoint.upload) rejectLargeBody(endpoint, request)
        await authorize(endpoint, request, services, accessTurns)
      },
      preParsing: async (request, reply, body) => {
        refuseWithoutRoom(endpoint, request, services)
        if (request.caller) await takeTurn(endpoint, request, reply, queues)
        // A compressed body may have failed while the call waited. A parser that starts now would wait for it forever.
        if (body.errored) throw body.errored
        return endpoint.method === 'GET' || endpoint.upload ? body : endingInTime(body, pace.jsonTimeout)
      },
      preValidation: async (request, reply) => {
        if (!endpoint.upload && request.isMultipart())
          throw new HttpError(400, 'The content type must be application/json')
        dropEmptyParameters(endpoint, request)
        // Strangers could keep a place by sending a body slowly, so they wait once it has arrived.
        if (!request.caller) await takeTurn(endpoint, request, reply, queues)
      },
      handler: async (request, reply) => {
        const response = await keepingSlot(request, () => answer(handle, endpoint, { request, reply }, context))
        return endpoint.stream ? reply.headers(eventHeaders).send(response) : response
      },
    })
  }
}

/** Returns the body of the response, or a stream. A call with an idempotency key is handled once. */
async function answer(
  handle: Handler['handle'],
  endpoint: Endpoint,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  context: CallContext,
): Promise<unknown> {
  checkColumns(endpoint, request.query)
  const call = await createCall(endpoint, request, context)
  if (endpoint.stream) return handle(call)
  const work = () => change(handle, endpoint, { request, call }, context)
  const key = idempotencyKeyOf(endpoint, request)
  if (key === undefined) return work()
  const { params, query, body, file, caller } = call
  const content = [endpoint.method, endpoint.path, params, query, body, endpoint.upload ? digestOf(file) : null]
  const vendor = caller.vendor === null || caller.vendor === caller.account ? undefined : caller.vendor
  const once = await runOnce({ account: caller.account, vendor, key, content }, work, {
    ...context.services,
    onError: error => request.log.error(error),
  })
  request.isReplayed = once.isReplayed
  if (once.isReplayed) reply.header('idempotency-replayed', 'true')
  reply.code(once.response.status)
  return once.response.body
}

/** Calls the handler, records the call, and publishes what it has changed. */
async function change(
  handle: Handler['handle'],
  endpoint: Endpoint,
  { request, call }: { readonly request: FastifyRequest; readonly call: Call },
  { services, recorder, queues }: CallContext,
): Promise<{ data: unknown }> {
  const run = async () => {
    if (request.caller) await recorder.begin(request)
    return handle(call)
  }
  const data = await (endpoint.upload
    ? inTurn(queues.files, turnOf(request), run).finally(() => {
        if (call.file.bytes.length >= largeUpload) collectLater(afterUpload)
      })
    : run())
  // Before consoles are notified to read it.
  await recorder.end(request, 200, { data })
  publishChange(services.bus, endpoint, call, { response: data, vendors: request.affectedVendors })
  return { data }
}

/** Milliseconds from the end of a large upload until its rows are collected, which can be more than all else in memory. */
const afterUpload = 500
/** Bytes of a file from which on it counts as large: a workbook of this size may have thousands of rows. */
const largeUpload = 100_000

/** Returns the SHA-256 of a file's content, in base64url. */
const digestOf = ({ bytes }: UploadedFile): string => createHash('sha256').update(bytes).digest('base64url')

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

const progressIdPattern = /^[\w-]{1,64}$/
const badProgressId = badRequest('The progress-id must be 1 to 64 letters, digits, dashes and underscores')

function progressIdOf(request: FastifyRequest): string | undefined {
  const id = header(request, 'progress-id')
  if (id === '') return undefined
  if (!progressIdPattern.test(id)) throw badProgressId
  return id
}

/** Returns the key of a call that changes something; dry runs have none. */
function idempotencyKeyOf(endpoint: Endpoint, { headers, query }: FastifyRequest): string | undefined {
  if (!takesIdempotencyKey(endpoint) || isDryRun(endpoint, query)) return undefined
  return parseIdempotencyKey(headers['idempotency-key'])
}

interface CallContext {
  readonly services: Services
  readonly recorder: ChangeRecorder
  readonly queues: Queues
  readonly pace: BodyPace
}

async function createCall(
  endpoint: Endpoint,
  request: FastifyRequest,
  { services, recorder, pace }: CallContext,
): Promise<Call> {
  const call = {
    params: request.params,
    query: request.query,
    body: request.body,
    token: endpoint.tokenHeader === undefined ? '' : header(request, endpoint.tokenHeader),
    ...clientOf(request),
    services,
    auditSubject: (account: AuditSubject) => {
      request.auditSubject = account
    },
    auditStart: async (account: AuditSubject, values?: AuditValues) => {
      request.auditSubject = account
      request.auditValues = values ?? null
      await recorder.begin(request)
    },
    auditWithin: (tx: Database) => recorder.countWithin(tx, request),
    auditCreated: (ids: readonly string[]) => {
      request.createdIds = ids
    },
    auditOutcome: (outcome: AuditOutcome) => {
      request.auditOutcome = outcome
    },
    affectedVendors: (vendors: readonly (string | null)[]) => {
      request.affectedVendors = vendors
    },
    progressId: progressIdOf(request),
    isStillAuthorized: () => isStillAuthorized(request, services),
    ...(endpoint.upload ? { file: await readUpload(request, pace) } : {}),
    ...(request.caller ? { caller: request.caller } : {}),
  }
  // `caller` and `file` are absent only on endpoints whose handlers do not use them.
  return call as Call
}
