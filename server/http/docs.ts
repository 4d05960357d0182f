/** The API page at /docs, made from the contract. */
import swagger, { type SwaggerTransform } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import { resources } from '../../src/api/contract/endpoints.ts'
import { version } from '../core/version.ts'

const Failure = z.object({ message: z.union([z.string(), z.array(z.string())]) })

const failures: Readonly<Record<number, string>> = {
  400: 'The input is wrong; one message, or a list of them.',
  401: 'Not signed in, or the session has ended.',
  403: 'Not for this role.',
  404: 'No such thing, or none that the caller may see.',
  409: 'Conflicts with what is there.',
  413: 'Too large.',
  429: 'Too many attempts; retry-after says when to try again (seconds).',
  501: 'Declared, and not built yet.',
}

const tagOf = new Map<Endpoint, string>(
  Object.entries(resources).flatMap(([name, calls]) => Object.values(calls).map(call => [call, name] as const)),
)

const json = (schema: z.core.$ZodType, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

const success = ({ stream, answer }: Endpoint) =>
  stream
    ? { description: 'Events, without end.', content: { 'text/event-stream': { schema: answer } } }
    : json(z.object({ data: answer }), 'Done.')

/** The multipart body of an upload, which is no zod schema. */
const uploadBody = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary', description: '.csv or .xlsx, at most 10 MB' } },
}

const accessText = (endpoint: Endpoint) =>
  endpoint.roles === 'public' ? 'Needs no session.' : `Roles: ${endpoint.roles.join(', ')}.`

const columnsOf = ({ columns }: Endpoint) =>
  columns ? ` Columns: ${Object.keys(columns.by).join(', ')}; searched by ${columns.search} unless told otherwise.` : ''

/** What a document says of one endpoint. */
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
  return endpoint.roles === 'public' ? [] : [{ 'access-token': [] }]
}

const tokenHeaders = ['access-token', 'refresh-token', 'password-recovery-token', 'email-confirmation-token']

/** Describes the routes that are added after it, and shows them. */
export async function addDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Permeate',
        version,
        description:
          'Fleets of reverse-osmosis devices. Answers are `{ data }`, failures `{ message }`; times are ISO 8601 UTC; ' +
          'amounts are litres, °C, bar, ppm, l/min and percent.',
      },
      components: {
        securitySchemes: Object.fromEntries(
          tokenHeaders.map(name => [name, { type: 'apiKey', in: 'header', name } as const]),
        ),
      },
    },
    transform: describeEndpoint,
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'none', validatorUrl: null },
    // The page makes one style element for itself.
    transformStaticCSP: policy => policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
  })
}
