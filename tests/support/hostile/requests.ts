/** Hostile requests for an endpoint, generated from the contract. */
import fc from 'fast-check'
import { PreviewQuery, type Endpoint, type Method } from '../../../src/api/contract/endpoint.ts'
import { roles, type Role } from '../../../src/domain/roles.ts'
import { fieldsOf, inputSchema } from '../../../cli/inputSchema.ts'
import { multipart } from '../multipart.ts'
import { hostileBody, hostileHeaders, hostileText, likely } from './values.ts'

export interface HostileRequest {
  readonly method: Method
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly payload?: string | Buffer
}

/** What the requests know of the server that they are sent to. */
export interface Known {
  /** Ids of rows that exist. Without those of the callers, whose deletion would end their sessions. */
  readonly ids: readonly string[]
  /** Access tokens of each role, read at every request. */
  readonly tokens: ReadonlyMap<Role, string>
}

type Pairs = readonly (readonly [name: string, value: string])[]

const previewed: Pairs = [['preview', 'true']]

/** Returns requests for an endpoint: most from a role that may call it, some from others or without a session. */
export function hostileRequests(endpoint: Endpoint, { ids, tokens }: Known): fc.Arbitrary<HostileRequest> {
  const path = endpoint.path.split(/\{\w+\}/)
  const text = urlText(ids)
  const allowed = endpoint.roles === 'public' ? roles : endpoint.roles
  return fc
    .record({
      role: fc.oneof(
        { weight: 10, arbitrary: fc.constantFrom<Role>(...allowed) },
        { weight: 1, arbitrary: fc.constantFrom<Role | undefined>(undefined, ...roles) },
      ),
      params: fc.array(text, { minLength: path.length - 1, maxLength: path.length - 1 }),
      query: hostileQuery(endpoint, ids),
      headers: endpoint.tokenHeader
        ? fc.oneof(hostileHeaders, fc.dictionary(fc.constant(endpoint.tokenHeader), text))
        : hostileHeaders,
      body: endpoint.upload
        ? fc.oneof(
            hostileText.map(content => multipart(content)),
            hostileBody(fc.anything()),
          )
        : hostileBody(likely(inputSchema(endpoint.body), ids)),
    })
    .map(({ role, params, query, headers, body }) => ({
      method: endpoint.method,
      url: `${path.map((part, at) => part + (params[at] ?? '')).join('')}?${query.map(pair => pair.join('=')).join('&')}`,
      headers: { 'access-token': role && tokens.get(role), ...body.headers, ...headers },
      ...(endpoint.method === 'GET' ? {} : { payload: body.payload }),
    }))
}

/** Returns text with valid or invalid percent-encoding. */
const urlText = (ids: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...ids).map(encodeURIComponent),
    hostileText.map(text => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom('%', '%zz', '%ff', '%00', '%c0%80', '%ed%a0%80', '..%2f..', '%2e%2e', '%252e', 'a;b', '"', '+'),
  )

/** Returns attributes of a query: hostile ones, ones that mostly fit the schema, or those of a dry run. */
function hostileQuery(endpoint: Endpoint, ids: readonly string[]): fc.Arbitrary<Pairs> {
  const schema = inputSchema(endpoint.query)
  const names = fieldsOf(schema).map(([name]) => name)
  const hostile: fc.Arbitrary<Pairs> = fc.array(
    fc.tuple(fc.constantFrom('x', '__proto__', 'a[b]', ...names), urlText(ids)),
    { maxLength: 5 },
  )
  if (endpoint.query === PreviewQuery) return fc.oneof(hostile, fc.constant(previewed))
  if (names.length === 0) return hostile
  return fc.oneof(hostile, fitting(endpoint, ids))
}

function fitting({ query, columns }: Endpoint, ids: readonly string[]): fc.Arbitrary<Pairs> {
  const column = fc.constantFrom(...Object.keys(columns?.kinds ?? { none: '' }))
  const fields = fieldsOf(inputSchema(query)).map(([name, field]): [string, fc.Arbitrary<string>] => {
    const value = columns && (name === 'column' || name === 'sort') ? column : likely(field, ids)
    return [name, value.map(textOf)]
  })
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }).map(values => Object.entries(values) as Pairs)
}

/** Returns a value as it stands in a query, shorter than the longest head of a request. */
const textOf = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 2000).toWellFormed())
