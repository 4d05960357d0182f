/** The client for the API: calls with the session's tokens, refreshed when they have expired. */
import type * as z from 'zod/mini'
import { session, signedInRole } from '../store/session.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { ApiError } from './errors.ts'
import { send, type Callable, type RequestInput } from './send.ts'

type Schema = z.core.$ZodType

/**
 * Calls an endpoint and resolves with its `data`. Rejects with ApiError, or with AbortError once `signal` is aborted.
 */
export async function call<P extends Schema, Q extends Schema, B extends Schema, A extends Schema>(
  endpoint: Callable<P, Q, B, A>,
  input: RequestInput<P, Q, B> = {},
): Promise<z.output<A>> {
  // Random, because the account's other tabs have calls of their own. Of the same call, all attempts have the same.
  const id = input.idempotencyKey ?? Math.random().toString(36).slice(2)
  const key: Record<string, string> = endpoint.method === 'GET' ? {} : { 'idempotency-key': id }
  return (await withSession(headers => send(endpoint, input, { ...headers, ...key }), input.signal)) as z.output<A>
}

/** Preloaded after the first rows, for which few need it, as a newer version of the console may replace it. */
export const loadRefresh = () => import('./refresh.ts')

/**
 * Calls `request` with the session's headers. A 401 starts one token refresh, shared by all concurrent requests, and
 * `request` is called again with the new token. Rejects with the signal's reason if it is aborted during the refresh.
 */
export async function withSession<T>(
  request: (headers: Record<string, string>) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { accessToken: usedToken, userId } = session
  try {
    return await request(headersWith(usedToken))
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401 && signedInRole())) throw error
    await (await loadRefresh()).refreshTokens(usedToken, signal)
    // Another person may have signed in meanwhile, in this tab or another.
    if (session.userId !== userId) throw error
    return request(headersWith(session.accessToken))
  }
}

/**
 * Calls an endpoint with a one-time token, sent in the endpoint's `tokenHeader`, instead of a session. Rejects with
 * ApiError; a 401 does not refresh anything.
 */
export async function callWithToken<P extends Schema, Q extends Schema, B extends Schema, A extends Schema>(
  endpoint: Endpoint<P, Q, B, A>,
  token: string,
  body: z.input<B>,
): Promise<z.output<A>> {
  return (await send(endpoint, { body }, { [endpoint.tokenHeader ?? 'access-token']: token })) as z.output<A>
}

const headersWith = (token: string | null): Record<string, string> => (token ? { 'access-token': token } : {})
