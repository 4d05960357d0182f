/**
 * Records in the audit log every call that may change something: that it begins, before anything is done, and what came of
 * it, before the response is sent.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import { openRecorder } from '../audit/recorder.ts'
import { isAudited, isDryRun } from '../bus/audited.ts'
import { publishEntry } from '../bus/publishChanges.ts'
import { HttpError } from '../core/errors.ts'
import type { Database } from '../db/database.ts'
import type { AuditSubject, AuditValues, Services } from '../endpoints/handler.ts'
import { callColumns, outcomeColumns } from './auditEntry.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's network address, read when the request came: a connection that has ended has none. */
    address: string
    /** The account that a call of a public endpoint is about. */
    auditSubject: AuditSubject | null
    /** What is recorded of a call of a public endpoint. */
    auditValues: AuditValues | null
    /** Whether the input has passed validation. */
    isValidated: boolean
    /** The id of the entry of a call that has begun. */
    auditEntry: number | null
    /** Whether the transaction of what the call does counts it, if it is committed. */
    isCountedWithin: boolean
    /** Whether the outcome is recorded. */
    isRecorded: boolean
  }
}

export interface ChangeRecorder {
  /**
   * Records that a call begins, which no longer can be refused for its role or its input's form. Without a session, only
   * calls whose account has proved itself begin. If it throws, nothing may be done.
   */
  begin(request: FastifyRequest): Promise<void>
  /** Counts a call without a session that succeeds, in the transaction of what it does. */
  countWithin(tx: Database, request: FastifyRequest): Promise<void>
  /** Records what came of a call, once. Never throws: the change is stored, so the response must report success. */
  end(request: FastifyRequest, status: number, response: unknown): Promise<void>
}

/** Statuses of calls that did nothing: for too many others, no database, or a client that left before its turn. */
const notDone: readonly number[] = [429, 499, 503, 507]

/**
 * Returns whether a call is recorded that has not begun. Of calls without a session, only valid ones are. A call with an
 * expired token is repeated with a new one.
 */
const isRecordable = ({ caller, isValidated }: FastifyRequest, endpoint: Endpoint, status: number) =>
  !notDone.includes(status) && (caller !== null || (endpoint.roles === 'public' && isValidated))

/** Adds hooks to all routes that are registered after it. */
export function recordChanges(app: FastifyInstance, { db, bus, now }: Services): ChangeRecorder {
  const recorder = openRecorder(db)
  app.decorateRequest('address', '')
  app.decorateRequest('auditSubject', null)
  app.decorateRequest('auditValues', null)
  app.decorateRequest('isValidated', false)
  app.decorateRequest('auditEntry', null)
  app.decorateRequest('isCountedWithin', false)
  app.decorateRequest('isRecorded', false)

  const endpointOf = ({ routeOptions: { config }, query }: FastifyRequest): Endpoint | undefined =>
    config.endpoint && isAudited(config.endpoint) && !isDryRun(config.endpoint, query) ? config.endpoint : undefined
  const begin: ChangeRecorder['begin'] = async request => {
    const endpoint = endpointOf(request)
    if (endpoint) request.auditEntry = await recorder.begin({ at: now(), ...callColumns(request, endpoint) })
  }
  /** The entry of a call that has ended and had none before. */
  const entryOf = (request: FastifyRequest, endpoint: Endpoint, status: number, response: unknown) => ({
    at: now(),
    ...callColumns(request, endpoint),
    ended_at: now(),
    ...outcomeColumns(request, endpoint, status, response),
    ...(request.caller === null && { ids: request.auditSubject ? [request.auditSubject.id] : [] }),
  })
  const countWithin: ChangeRecorder['countWithin'] = async (tx, request) => {
    const endpoint = endpointOf(request)
    if (!endpoint) return
    await recorder.countWithin(tx, entryOf(request, endpoint, 200, { data: {} }))
    request.isCountedWithin = true
  }
  const end: ChangeRecorder['end'] = async (request, status, response) => {
    const endpoint = endpointOf(request)
    const { auditEntry, caller, isRecorded, isCountedWithin } = request
    if (!endpoint || isRecorded) return
    // A call that failed has rolled its count back.
    if (isCountedWithin && status === 200) return
    if (auditEntry === null && !isRecordable(request, endpoint, status)) return
    request.isRecorded = true
    try {
      if (auditEntry !== null) {
        const outcome = { ended_at: now(), ...outcomeColumns(request, endpoint, status, response) }
        return await recorder.end(auditEntry, outcome)
      }
      const entry = entryOf(request, endpoint, status, response)
      await (caller === null ? recorder.count(entry) : recorder.refuse(entry))
    } catch (error) {
      request.log.error(error)
    }
  }

  // The first read of the address stores it in the socket, so that it is known after the client has reset the connection.
  app.server.on('connection', (socket: Socket) => void socket.remoteAddress)
  app.addHook('onRequest', async request => {
    const { ip }: { ip: string | undefined } = request
    if (ip === undefined) throw new HttpError(400, 'The connection has ended')
    request.address = ip
  })
  app.addHook('preHandler', async request => {
    request.isValidated = true
  })
  app.addHook('preSerialization', async (request, reply, response) => {
    // The first call with this idempotency key is recorded; this one has done nothing.
    if (request.isReplayed) return response
    const isFailed = request.auditEntry !== null && !request.isRecorded
    await end(request, reply.statusCode, response)
    // A list that was read meanwhile shows the call as started.
    if (isFailed) publishEntry(bus)
    return response
  })
  return { begin, countWithin, end }
}
