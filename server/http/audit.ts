/** Writes the audit log: an entry for every call that may change something, with its outcome. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actionOf } from '../../src/api/contract/audit.ts'
import type { outcomes } from '../../src/domain/columns/audit.ts'
import { BulkResponse, Created, type Endpoint } from '../../src/api/contract/endpoint.ts'
import * as z from 'zod/mini'
import { audit } from '../db/schema/audit.ts'
import type { Services } from '../endpoints/handler.ts'
import { isAudited, isDryRun } from '../bus/audited.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the input has passed validation. */
    isValidated: boolean
  }
}

/** Characters after which messages are truncated: an error may list a hundred rows of a file. */
const maxMessageLength = 1000
const maxIdLength = 64

/**
 * Returns whether a call is recorded. Of calls without a session, only valid and unthrottled ones are, so that
 * anonymous clients cannot fill the table. A call with an expired token is repeated with a new one.
 */
const isRecordable = ({ caller, isValidated }: FastifyRequest, endpoint: Endpoint, status: number) =>
  caller !== null || (endpoint.roles === 'public' && isValidated && status !== 429)

/** Adds audit hooks to all routes that are registered after it. */
export function recordChanges(app: FastifyInstance, services: Services): void {
  app.decorateRequest('isValidated', false)
  app.addHook('preHandler', async request => {
    request.isValidated = true
  })
  // Recorded before the response is sent, so that the audit log is complete once a client has it.
  app.addHook('preSerialization', async (request, reply, response) => {
    const { endpoint } = request.routeOptions.config
    if (!endpoint || !isAudited(endpoint) || isDryRun(endpoint, request.query)) return response
    if (isRecordable(request, endpoint, reply.statusCode))
      try {
        await services.db.insert(audit).values({
          at: services.now(),
          ...callerColumns(request),
          ...actionColumns(request, endpoint),
          ...outcomeOf(endpoint, reply.statusCode, response, idsOf(request)),
        })
      } catch (error) {
        // The change is stored, so the response must still report success.
        request.log.error(error)
      }
    return response
  })
}

function callerColumns({ caller, auditSubject, ip }: FastifyRequest) {
  const { id, login, role } = caller ? { ...caller, id: caller.account } : (auditSubject ?? unknownCaller)
  return { account_id: id, login, role, address: ip }
}
/** An unknown login is not recorded, because it may be a password typed into the wrong field. */
const unknownCaller = { id: null, login: null, role: null }

/** Returns the action and its validated values, without ids and secrets. */
function actionColumns({ body, isValidated, caller }: FastifyRequest, endpoint: Endpoint) {
  const fields = isValidated && caller && !endpoint.upload ? Object.entries(body ?? {}) : []
  const values = fields.filter(([name]) => name !== 'ids' && !/password|token/i.test(name))
  return { action: actionOf(endpoint), values: wellFormed(Object.fromEntries(values)) }
}

/** Replaces lone surrogates, which PostgreSQL's JSON does not allow. */
const wellFormed = (values: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(values, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)))

const Ids = z.object({ ids: z.array(z.string()) })

/** Returns the ids in the path and in the validated body, and those of created rows. */
function idsOf({ params, body, isValidated, createdIds }: FastifyRequest): string[] {
  const pathIds = Object.values(params ?? {}).map(id => String(id).slice(0, maxIdLength))
  const bodyIds = isValidated ? z.safeParse(Ids, body) : undefined
  return [...pathIds, ...(bodyIds?.success ? bodyIds.data.ids : []), ...(createdIds ?? [])]
}

interface Outcome {
  readonly ids: string[]
  readonly outcome: (typeof outcomes)[number]
  readonly status: number
  readonly message: string
  readonly done?: number
  readonly failed?: number
}

const Failure = z.object({ message: z.union([z.string(), z.array(z.string())]) })

function outcomeOf(endpoint: Endpoint, status: number, response: unknown, ids: string[]): Outcome {
  const failure = z.safeParse(Failure, response)
  if (failure.success && status >= 400) {
    const messages = [failure.data.message].flat()
    return { ids, status, outcome: status < 500 ? 'refused' : 'failed', message: truncate(messages.join(', ')) }
  }
  // The handler's response has the endpoint's own type.
  const { data } = response as { data: unknown }
  if (endpoint.response === BulkResponse) return bulkOutcome(data as BulkResponse, status, ids)
  const done = { status, outcome: 'done', message: '' } as const
  if (endpoint.response === Created) return { ...done, ids: [...new Set([...ids, (data as { _id: string })._id])] }
  if (endpoint.upload) return { ...done, ids, done: (data as { created: number }).created }
  return { ...done, ids }
}

function bulkOutcome({ count, failed }: BulkResponse, status: number, ids: string[]): Outcome {
  const reasons = Map.groupBy(failed, ({ message }) => message)
  return {
    ids: [...new Set(ids)],
    status,
    outcome: failed.length === 0 ? 'done' : count === 0 ? 'failed' : 'partly',
    done: count,
    failed: failed.length,
    message: truncate([...reasons].map(([reason, { length }]) => `${reason} (${length})`).join(', ')),
  }
}

const truncate = (message: string) =>
  (message.length > maxMessageLength ? `${message.slice(0, maxMessageLength - 1)}…` : message).toWellFormed()
