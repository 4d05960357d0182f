/** The API reference at /docs, generated from the contract. */
import swagger, { type SwaggerTransform } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { keyAccess, type KeyScope } from '../../src/api/contract/apiKeys.ts'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import { resources } from '../../src/api/contract/all/endpoints.ts'
import { takesIdempotencyKey } from '../bus/audited.ts'
import { version } from '../core/version.ts'

const Failure = z.object({ message: z.union([z.string(), z.array(z.string())]) })

const failures: Readonly<Record<number, string>> = {
  400: 'Invalid input, with one message or a list of messages.',
  401: 'Not signed in, or the session has expired.',
  403: 'Not allowed for this role.',
  404: 'Not found, or not visible to the caller.',
  409: 'Conflicts with the current state.',
  408: 'The request was sent too slowly.',
  413: 'The request is too large.',
  422: 'The idempotency-key was used for another call.',
  429: 'Too many attempts, or too many calls that wait. The retry-after header gives the seconds to wait.',
  501: 'Not implemented yet.',
  503: 'The server is busy, or its database is not available. The retry-after header gives the seconds to wait.',
  507: 'The disk of the server is full: nothing can be changed until there is space.',
}

const tagOf = new Map<Endpoint, string>(
  Object.entries(resources).flatMap(([name, group]) => Object.values(group).map(endpoint => [endpoint, name] as const)),
)

const json = (schema: z.core.$ZodType, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

const success = ({ stream, response }: Endpoint) =>
  stream
    ? {
        description: 'A stream of server-sent events that does not end.',
        content: { 'text/event-stream': { schema: response } },
      }
    : json(z.object({ data: response }), 'Success.')

/** JSON schema of an upload's multipart body, which has no zod schema. */
const uploadBody = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary', description: '.csv or .xlsx, at most 10 MB' } },
}

/** The headers of calls that change something. */
const KeyHeader = z.object({
  'idempotency-key': z.optional(
    z
      .string()
      .check(
        z.regex(/^[\x20-\x7e]{1,255}$/),
        z.describe('A random text. Calls with the same key are done once and get the same response, for 24 hours.'),
      ),
  ),
})

const accessText = (endpoint: Endpoint) =>
  endpoint.roles === 'public'
    ? 'Public: no session is needed.'
    : `Roles: ${endpoint.roles.join(', ')}. ${keyTexts[keyAccess(endpoint) ?? 'none']}`

const keyTexts: Readonly<Record<KeyScope | 'none', string>> = {
  read: 'API keys: all.',
  write: 'API keys: those that can read and write.',
  none: 'API keys: none.',
}

const columnsOf = ({ columns }: Endpoint) =>
  columns ? ` Columns: ${Object.keys(columns.kinds).join(', ')}. The default search column is ${columns.search}.` : ''

/** Returns the OpenAPI operation of a route. */
const describeEndpoint: SwaggerTransform = route => {
  const endpoint = route.route.config?.endpoint
  if (!endpoint) return { schema: { hide: true }, url: route.url }
  const { params, querystring, body } = route.schema
  const transformed = jsonSchemaTransform({
    ...route,
    schema: {
      params,
      querystring,
      body,
      ...(takesIdempotencyKey(endpoint) ? { headers: KeyHeader } : {}),
      summary: endpoint.summary,
      description: accessText(endpoint) + columnsOf(endpoint),
      tags: [tagOf.get(endpoint) ?? 'other'],
      security: securityOf(endpoint),
      response: {
        200: success(endpoint),
        ...Object.fromEntries(Object.entries(failures).map(([status, text]) => [status, json(Failure, text)])),
      },
    },
  })
  if (endpoint.upload) Object.assign(transformed.schema, { consumes: ['multipart/form-data'], body: uploadBody })
  return transformed
}

function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  if (endpoint.tokenHeader !== undefined) return [{ [endpoint.tokenHeader]: [] }]
  if (endpoint.roles === 'public') return []
  return [{ 'access-token': [] }, ...(keyAccess(endpoint) ? [{ [keyScheme]: [] }] : [])]
}

/** The name of the scheme by which API keys are sent. */
const keyScheme = 'api-key'

const tokenHeaders = [
  'access-token',
  'refresh-token',
  'login-ticket',
  'password-recovery-token',
  'email-confirmation-token',
]

/** Adds the API reference, which covers the routes that are registered after it. */
export async function addDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Permeate',
        version,
        description:
          'Manages fleets of reverse-osmosis devices. Successful responses are `{ data }`, errors `{ message }`. ' +
          'Times are ISO 8601 in UTC; units are litres, °C, bar, ppm, l/min and percent.',
      },
      components: {
        securitySchemes: {
          ...Object.fromEntries(tokenHeaders.map(name => [name, { type: 'apiKey', in: 'header', name } as const])),
          [keyScheme]: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    transform: describeEndpoint,
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'none', validatorUrl: null },
    // Swagger UI injects one style element.
    transformStaticCSP: policy => policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
  })
}
