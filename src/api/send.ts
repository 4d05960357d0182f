/** Sends single requests to the API. */
import wretch, { type WretchError } from 'wretch'
import type * as z from 'zod/mini'
import { connection } from '../store/connection.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { addressOf } from './contract/address.ts'
import { ApiError, unreachable } from './errors.ts'

type Schema = z.core.$ZodType
/**
 * What a call needs of an endpoint. A path and method alone, without schemas, are typed by the caller: the first rows are
 * read before the contract has loaded.
 */
export type Callable<P extends Schema, Q extends Schema, B extends Schema, A extends Schema = Schema> =
  | Endpoint<P, Q, B, A>
  | Pick<Endpoint, 'method' | 'path'>
/** What a call sends, as the endpoint's schemas take it. */
export interface RequestInput<P extends Schema, Q extends Schema, B extends Schema> {
  params?: z.input<P>
  query?: z.input<Q>
  body?: z.input<B>
  file?: File
  /** By default a random one for each call. */
  idempotencyKey?: string
  signal?: AbortSignal
}

/**
 * Sends a request, records whether the server answered, and resolves with the `data` of its response. Rejects with
 * ApiError (status 0 without a response), or with AbortError once `signal` is aborted.
 */
export async function send<P extends Schema, Q extends Schema, B extends Schema>(
  endpoint: Callable<P, Q, B>,
  { params, query, body, file, signal }: RequestInput<P, Q, B>,
  headers: Record<string, string>,
): Promise<unknown> {
  const request = wretch(addressOf(endpoint.path, params, query))
    .headers(headers)
    .options(signal ? { signal } : {})
  const form = new FormData()
  if (file) form.append('file', file)
  const requestWithBody = file ? request.body(form) : endpoint.method === 'GET' ? request : request.json(body ?? {})
  try {
    const response: unknown = await requestWithBody.fetch(endpoint.method).json()
    connection.online = true
    return hasData(response) ? response.data : undefined
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    if (!isErrorResponse(error)) {
      connection.online = false
      throw new ApiError(0, unreachable)
    }
    connection.online = true
    const message = parseMessage(error.message) ?? `The server answered ${error.status}`
    throw new ApiError(error.status, message, error.response.headers.has('retry-after'))
  }
}

/** Returns whether an error is an unsuccessful response rather than a missing one. */
const isErrorResponse = (error: unknown): error is WretchError => error instanceof Error && 'response' in error

const hasData = (response: unknown): response is { data: unknown } =>
  typeof response === 'object' && response !== null && 'data' in response

function parseMessage(text: string): string | readonly string[] | undefined {
  try {
    const response: unknown = JSON.parse(text)
    const message: unknown =
      typeof response === 'object' && response !== null && 'message' in response ? response.message : undefined
    if (typeof message === 'string') return message
    if (Array.isArray(message)) return message.map(String)
  } catch {
    // Not the API's JSON but, for example, a proxy's error page: only the status is known.
  }
  return undefined
}
