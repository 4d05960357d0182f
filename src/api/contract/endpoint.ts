/**
 * An endpoint as data. From these the server derives its routes, validation, access control and API page,
 * the console its typed calls, and a command its roles.
 */
import * as z from 'zod/mini'
import { searchableColumns, type Column, type Columns } from '../../domain/columns/column.ts'
import { defaultLimit, operators } from '../../domain/lists/query.ts'
import type { Role } from '../../domain/roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Schema = z.core.$ZodType
type Shape = z.ZodMiniObject

export interface Endpoint<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  A extends Schema = Schema,
> {
  readonly method: Method
  /** Parameters in braces: `/api/v3/devices/{bssid}`. */
  readonly path: `/api/${string}`
  /** Roles that may call it; `public` needs no session. */
  readonly roles: readonly Role[] | 'public'
  readonly summary: string
  readonly params: P
  readonly query: Q
  /** The header of the one-time or refresh token that replaces the access token. */
  readonly tokenHeader: TokenHeader | undefined
  /** `file`: multipart with one part named `file`, and no JSON body. */
  readonly upload: boolean
  readonly body: B
  /**
   * The schema of the response's `data`, or of a stream's event. For types and docs; the console does not validate
   * responses.
   */
  readonly response: A
  /** Whether the response is a stream of server-sent events. */
  readonly stream: boolean
  /** For a list, the columns by which it can be searched and sorted. */
  readonly columns: SearchColumns | undefined
}

export type TokenHeader = 'refresh-token' | 'login-ticket' | 'password-recovery-token' | 'email-confirmation-token'

/** The columns by which a list can be searched and sorted. */
export interface SearchColumns {
  /** The default search column. */
  readonly search: string
  /** Each column, with its kind. */
  readonly kinds: Readonly<Record<string, Column>>
}

/** The schema of missing parameters, query or body. */
const none = z.object({})
type None = typeof none

interface EndpointOptions<P extends Schema, Q extends Schema, B extends Schema, A extends Schema> {
  method: Method
  path: `/api/${string}`
  roles: readonly Role[] | 'public'
  summary: string
  params?: P
  query?: Q
  tokenHeader?: TokenHeader
  upload?: boolean
  body?: B
  response: A
  stream?: boolean
  columns?: SearchColumns
}

/** Defines an endpoint, filling in defaults. */
export function endpoint<A extends Schema, P extends Schema = None, Q extends Schema = None, B extends Schema = None>(
  options: EndpointOptions<P, Q, B, A>,
): Endpoint<P, Q, B, A> {
  return {
    tokenHeader: undefined,
    upload: false,
    stream: false,
    columns: undefined,
    ...options,
    // The defaults are `None` exactly where the caller left the type parameter at its default.
    params: options.params ?? (none as Schema as P),
    query: options.query ?? (none as Schema as Q),
    body: options.body ?? (none as Schema as B),
  }
}

/** The type of a row's property; of a list, that of its items. */
type Step<Row, Key> = Row extends readonly (infer One)[]
  ? Key extends `${number}`
    ? One
    : Step<One, Key>
  : Key extends keyof Row
    ? NonNullable<Row[Key]>
    : never
/** The type at a property path with dots. */
type At<Row, Path> = Path extends `${infer Key}.${infer Rest}` ? At<Step<Row, Key>, Rest> : Step<Row, Path>
/** The columns whose paths exist in the row; any other column has the type `never`, so it does not compile. */
type ColumnsOf<Row, C extends Columns> = {
  readonly [Id in keyof C]: At<Row, C[Id] extends { readonly path: infer Path } ? Path : Id> extends never
    ? never
    : C[Id]
}

/** Defines a list endpoint; its query and response are derived from the row and the columns. */
export function listEndpoint<Row extends Shape, C extends Columns, P extends Schema = None>(options: {
  path: `/api/${string}`
  roles: readonly Role[]
  summary: string
  params?: P
  row: Row
  columns: C & ColumnsOf<z.output<Row>, C>
  /** The default search column. */
  search: keyof C & string
}) {
  const { row, columns, search, ...rest } = options
  const kinds = searchableColumns<C>(columns)
  return endpoint({ method: 'GET', ...rest, query: ListQuery, response: listOf(row), columns: { search, kinds } })
}

/** The largest page of a list, and the maximum number of ids in a call. */
export const maxPerCall = 1000

/** A whole number in a query string. */
export const integerParam = (min: number, max: number) => z.coerce.number().check(z.int(), z.gte(min), z.lte(max))

/** The query of every list. `column` and `sort` are checked against the endpoint's columns. */
export const ListQuery = z.object({
  offset: z._default(integerParam(0, 1_000_000_000), 0),
  limit: z._default(integerParam(1, maxPerCall), defaultLimit),
  search: z.optional(z.string().check(z.maxLength(200))),
  column: z.optional(z.string().check(z.maxLength(60))),
  operator: z._default(z.enum(operators), 'co'),
  sort: z.optional(z.string().check(z.maxLength(60))),
  direction: z._default(z.enum(['asc', 'desc']), 'asc'),
  /** With `estimate`, the count of many matches may be an estimate, which the response then says. */
  count: z._default(z.enum(['exact', 'estimate']), 'exact'),
})
export type ListQuery = z.input<typeof ListQuery>

/** A page of a list. */
export interface List<Row> {
  /** The number of all matches, not only those on this page. */
  count: number
  /** Present if the count is an estimate, which only a query that allows it gets. */
  count_is?: CountIs
  data: Row[]
}
const CountIs = z.literal('estimate')
type CountIs = z.output<typeof CountIs>
const listOf = <Row extends Shape>(row: Row) =>
  z.object({ count: z.number(), count_is: z.optional(CountIs), data: z.array(row) })

/** Values that a call replaced, and the ids that had them. */
export const PreviousValues = z.object({ ids: z.array(z.string()), values: z.record(z.string(), z.unknown()) })
export type PreviousValues = z.output<typeof PreviousValues>

/** The response of a bulk call: every id is either counted as done or listed as failed. */
export const BulkResponse = z.object({
  /** The number of ids that are done. */
  count: z.number(),
  /** The number of all ids. */
  total: z.number(),
  failed: z.array(z.object({ id: z.string(), message: z.string() })),
  /** The replaced values, grouped by equal values, from which the call can be undone; absent in a preview. */
  before: z.optional(z.array(PreviousValues)),
})
export type BulkResponse = z.output<typeof BulkResponse>

/** With `preview=true` a bulk call is a dry run: it returns what would happen to each id and changes nothing. */
export const PreviewQuery = z.object({ preview: z._default(z.enum(['true', 'false']), 'false') })

export type BulkEndpoint<Body extends Schema = Schema> = Endpoint<None, typeof PreviewQuery, Body, typeof BulkResponse>
/** Defines a call on many ids, which supports a dry run. */
export const bulkEndpoint = <Body extends Schema>(
  options: Omit<
    EndpointOptions<None, typeof PreviewQuery, Body, typeof BulkResponse>,
    'params' | 'query' | 'response'
  > & {
    body: Body
  },
): BulkEndpoint<Body> => endpoint({ ...options, query: PreviewQuery, response: BulkResponse })

/** The empty response of a successful call. */
export const Done = z.object({})
/** The id of a created row. */
export const Created = z.object({ _id: z.string() })
/** With `preview=true` a file is only checked, and nothing is created. */
export const UploadQuery = z.extend(PreviewQuery, {
  /** The number of the file's first row, for the part of a larger file: errors name rows by it. */
  first_row: z._default(integerParam(2, 1_000_000_000), 2),
})
/** The number of rows that an upload created, or that it would create. */
export const Uploaded = z.object({ created: z.number() })
