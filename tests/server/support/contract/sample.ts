/** Valid requests generated from the contract, with values that a test may choose. */
import { text } from 'node:stream/consumers'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Endpoint } from '../../../../src/api/contract/endpoint.ts'
import { fieldsOf, inputSchema, type JsonSchema } from '../../../../cli/inputSchema.ts'
import { multipart } from '../../../support/multipart.ts'

/** Returns the smallest valid value; `chosen` sets fields by name, also optional ones. */
export function sample(schema: JsonSchema, chosen: Readonly<Record<string, unknown>> = {}): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sample(schema.anyOf[0]!, chosen)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        fieldsOf(schema)
          .filter(([name]) => schema.required?.includes(name) || name in chosen)
          .map(([name, field]) => [name, name in chosen ? chosen[name] : sample(field, chosen)]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, chosen))
    case 'string':
      return schema.format === 'date-time' ? '2026-01-31T12:00:00Z' : 'sample'.padEnd(schema.minLength ?? 0, 'x')
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return schema.minimum ?? 0
  }
}

/** Chosen values of a request's path, query and body. */
export interface Chosen {
  readonly token?: string | undefined
  /** The value of every path parameter, except those in `params`. */
  readonly id?: string
  readonly params?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** Overrides values generated from the query's schema. */
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly file?: string
}

/** A request that the endpoint's schemas accept. */
export function sampleRequest(
  endpoint: Endpoint,
  { token, id = 'sample', params = {}, body, query, file = 'x' }: Chosen,
): InjectOptions {
  const headers: Record<string, string> = token === undefined ? {} : { 'access-token': token }
  const request = {
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? id)),
    query: { ...(sample(inputSchema(endpoint.query)) as Record<string, string>), ...query },
  }
  if (endpoint.upload) return { ...request, ...multipart(file, headers) }
  if (endpoint.method === 'GET') return { ...request, headers }
  return { ...request, headers, payload: sample(inputSchema(endpoint.body), body) as object }
}

/** Returns an endpoint's response; for a stream, which never ends, only its status. */
export async function answerOf(
  app: FastifyInstance,
  endpoint: Endpoint,
  request: InjectOptions,
): Promise<{ statusCode: number; body: string }> {
  if (!endpoint.stream) return app.inject(request)
  const { statusCode, stream, raw } = await app.inject({ ...request, payloadAsStream: true })
  if (statusCode >= 400) return { statusCode, body: await text(stream()) }
  raw.res.destroy()
  return { statusCode, body: '' }
}
