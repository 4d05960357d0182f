/** Describes requests and their outcomes as the audit log stores them: without secrets, and as text that PostgreSQL takes. */
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { actionOf } from '../../src/api/contract/audit.ts'
import { BulkResponse, Created, type Endpoint } from '../../src/api/contract/endpoint.ts'
import { jobs } from '../../src/api/contract/jobs.ts'
import type { Caller } from '../endpoints/handler.ts'
import type { CallColumns, OutcomeColumns } from '../audit/recorder.ts'

/** Characters after which messages are truncated: an error may list a hundred rows of a file. */
const maxMessageLength = 1000
const maxIdLength = 64

/** Returns who calls what, and on what. */
export const callColumns = (request: FastifyRequest, endpoint: Endpoint): Omit<CallColumns, 'at'> => ({
  ...callerColumns(request),
  ...actionColumns(request, endpoint),
  // The tasks of the job name its devices: there may be a hundred thousand.
  ids: endpoint === jobs.create ? [] : idsOf(request),
})

function callerColumns({ caller, auditSubject, address }: FastifyRequest) {
  const { id, login, role } = caller ? accountOf(caller) : (auditSubject ?? unknownCaller)
  return { account_id: id, login, role, address }
}
const accountOf = ({ account, login, role, key }: Caller) => ({ id: account, login, role: key?.accountRole ?? role })
/** An unknown login is not recorded, because it may be a password typed into the wrong field. */
const unknownCaller = { id: null, login: null, role: null }

/** Returns the action and its validated values, without ids and secrets, and the API key that it was called with. */
function actionColumns({ body, isValidated, caller, auditValues }: FastifyRequest, endpoint: Endpoint) {
  const fields =
    isValidated && caller && !endpoint.upload ? Object.entries(body ?? {}) : Object.entries(auditValues ?? {})
  const values = fields.filter(([name]) => name !== 'ids' && !/password|token|code|credential/i.test(name))
  const key = caller?.key && { api_key: { id: caller.key.id, name: caller.key.name } }
  return { action: actionOf(endpoint), values: { ...Object.fromEntries(values), ...key } }
}

const Ids = z.object({ ids: z.array(z.string()) })

/** Returns the ids in the path and in the validated body. */
function idsOf({ params, body, isValidated }: FastifyRequest): string[] {
  const pathIds = Object.values(params ?? {}).map(id => String(id).slice(0, maxIdLength))
  const bodyIds = isValidated ? z.safeParse(Ids, body) : undefined
  const ids = [...pathIds, ...(bodyIds?.success ? bodyIds.data.ids : [])]
  return [...new Set(ids.map(id => id.toWellFormed()))]
}

const Failure = z.object({ message: z.union([z.string(), z.array(z.string())]) })

/** Returns what came of a call. `response`: its body. */
export function outcomeColumns(
  request: FastifyRequest,
  endpoint: Endpoint,
  status: number,
  response: unknown,
): Omit<OutcomeColumns, 'ended_at'> {
  const failure = z.safeParse(Failure, response)
  const created = request.createdIds && request.createdIds.length > 0 ? [...request.createdIds] : null
  const counts = { status, done: null, failed: null, created_ids: created }
  if (failure.success && status >= 400) {
    const messages = [failure.data.message].flat()
    return { ...counts, outcome: status < 500 ? 'refused' : 'failed', message: truncate(messages.join(', ')) }
  }
  // The handler's response has the endpoint's own type.
  const { data } = response as { data: unknown }
  if (endpoint.response === BulkResponse) return { ...counts, ...bulkOutcome(data as BulkResponse) }
  const done = { ...counts, outcome: 'done', message: '', ...request.auditOutcome } as const
  if (endpoint.response === Created) return { ...done, created_ids: [(data as { _id: string })._id] }
  return endpoint.upload ? { ...done, done: (data as { created: number }).created } : done
}

function bulkOutcome({ count, failed }: BulkResponse): Pick<OutcomeColumns, 'outcome' | 'done' | 'failed' | 'message'> {
  const reasons = Map.groupBy(failed, ({ message }) => message)
  return {
    outcome: failed.length === 0 ? 'done' : count === 0 ? 'failed' : 'partly',
    done: count,
    failed: failed.length,
    message: truncate([...reasons].map(([reason, { length }]) => `${reason} (${length})`).join(', ')),
  }
}

const truncate = (message: string) =>
  (message.length > maxMessageLength ? `${message.slice(0, maxMessageLength - 1)}…` : message).toWellFormed()
