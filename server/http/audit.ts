/** The one place where changes are recorded: every call that may change something, once its outcome is known. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actionOf } from '../../src/api/contract/audit.ts'
import type { outcomes } from '../../src/domain/columns/audit.ts'
import { BulkAnswer, Created, type Endpoint } from '../../src/api/contract/endpoint.ts'
import * as z from 'zod/mini'
import { audit } from '../db/schema/audit.ts'
import type { Services } from '../endpoints/handler.ts'
import { isAudited, isDryRun } from '../bus/audited.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the input has passed the endpoint's schemas. */
    checked: boolean
  }
}

/** A refusal may list a hundred rows of a file; what it began with says enough. */
const maxMessageLength = 1000
const maxIdLength = 64

/**
 * Without a session only what came as far as being tried: neither a stranger's malformed input, nor what was throttled
 * after its first attempts were recorded, may fill the table. An expired session's call comes again with another token.
 */
const isTried = ({ caller, checked }: FastifyRequest, endpoint: Endpoint, status: number) =>
  caller !== null || (endpoint.roles === 'public' && checked && status !== 429)

/** Adds the recording to all routes that are made from endpoints after it. */
export function recordChanges(app: FastifyInstance, services: Services): void {
  app.decorateRequest('checked', false)
  app.addHook('preHandler', async request => {
    request.checked = true
  })
  // Before the answer leaves, so that whoever has it finds it in the history.
  app.addHook('preSerialization', async (request, reply, answer) => {
    const { endpoint } = request.routeOptions.config
    if (!endpoint || !isAudited(endpoint) || isDryRun(endpoint, request.query)) return answer
    if (isTried(request, endpoint, reply.statusCode))
      try {
        await services.db.insert(audit).values({
          at: services.now(),
          ...who(request),
          ...what(request, endpoint),
          ...outcomeOf(endpoint, reply.statusCode, answer, idsOf(request)),
        })
      } catch (error) {
        // What was done is done: the answer must not say otherwise.
        request.log.error(error)
      }
    return answer
  })
}

function who({ caller, concerned, ip }: FastifyRequest) {
  const { id, login, role } = caller ? { ...caller, id: caller.account } : (concerned ?? nobody)
  return { account_id: id, login, role, address: ip }
}
/** An unknown login is not kept: it may be a password in the wrong field. */
const nobody = { id: null, login: null, role: null }

/** Values only where they were checked, and never those of calls that carry credentials. */
function what({ body, checked, caller }: FastifyRequest, endpoint: Endpoint) {
  const sent = checked && caller && !endpoint.upload ? Object.entries(body ?? {}) : []
  const values = sent.filter(([name]) => name !== 'ids' && !/password|token/i.test(name))
  return { action: actionOf(endpoint), values: wellFormed(Object.fromEntries(values)) }
}

/** JSON in PostgreSQL holds no halves of surrogate pairs. */
const wellFormed = (values: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(values, (_, each: unknown) => (typeof each === 'string' ? each.toWellFormed() : each)))

const Ids = z.object({ ids: z.array(z.string()) })

/** What the call names in its path, or in its body once that was checked, and what it made of a file. */
function idsOf({ params, body, checked, made }: FastifyRequest): string[] {
  const named = Object.values(params ?? {}).map(id => String(id).slice(0, maxIdLength))
  const listed = checked ? z.safeParse(Ids, body) : undefined
  return [...named, ...(listed?.success ? listed.data.ids : []), ...(made ?? [])]
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

function outcomeOf(endpoint: Endpoint, status: number, answer: unknown, ids: string[]): Outcome {
  const failure = z.safeParse(Failure, answer)
  if (failure.success && status >= 400) {
    const messages = [failure.data.message].flat()
    return { ids, status, outcome: status < 500 ? 'refused' : 'failed', message: shortened(messages.join(', ')) }
  }
  // The handler's answer to this endpoint, so it is of the endpoint's own type.
  const { data } = answer as { data: unknown }
  if (endpoint.answer === BulkAnswer) return ofMany(data as BulkAnswer, status, ids)
  const done = { status, outcome: 'done', message: '' } as const
  if (endpoint.answer === Created) return { ...done, ids: [...new Set([...ids, (data as { _id: string })._id])] }
  if (endpoint.upload) return { ...done, ids, done: (data as { created: number }).created }
  return { ...done, ids }
}

function ofMany({ count, failed }: BulkAnswer, status: number, ids: string[]): Outcome {
  const reasons = Map.groupBy(failed, ({ message }) => message)
  return {
    ids: [...new Set(ids)],
    status,
    outcome: failed.length === 0 ? 'done' : count === 0 ? 'failed' : 'partly',
    done: count,
    failed: failed.length,
    message: shortened([...reasons].map(([reason, { length }]) => `${reason} (${length})`).join(', ')),
  }
}

const shortened = (message: string) =>
  (message.length > maxMessageLength ? `${message.slice(0, maxMessageLength - 1)}…` : message).toWellFormed()
