/** The HTTP client for the API: token headers, one token refresh at a time, errors. */
import wretch, { type WretchError } from 'wretch'
import type * as z from 'zod/mini'
import { connection } from '../store/connection.ts'
import { clearSession, reloadSession, session, setSession, signedInRole } from '../store/session.ts'
import { auth, type Tokens } from './contract/auth.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { ApiError, unreachable } from './errors.ts'
import { trackCall, type CallProgress } from './progress.ts'

type Schema = z.core.$ZodType
export interface CallInput<P extends Schema, Q extends Schema, B extends Schema> {
  params?: z.input<P>
  query?: z.input<Q>
  body?: z.input<B>
  file?: File
  signal?: AbortSignal
  /** Called during a bulk call with the number of ids that are done and failed so far. */
  onProgress?: (ids: CallProgress) => void
}

/**
 * Calls an endpoint and resolves with its `data`. Rejects with ApiError, or with AbortError once `signal` is aborted.
 */
export async function call<P extends Schema, Q extends Schema, B extends Schema, A extends Schema>(
  endpoint: Endpoint<P, Q, B, A>,
  input: CallInput<P, Q, B> = {},
): Promise<z.output<A>> {
  const tracked = input.onProgress && trackCall(input.onProgress)
  const progressId: Record<string, string> = tracked ? { 'progress-id': tracked.id } : {}
  try {
    return (await withSession(headers => send(endpoint, input, { ...headers, ...progressId }))) as z.output<A>
  } finally {
    tracked?.stop()
  }
}

/**
 * Calls `request` with the session's headers. A 401 starts one token refresh, shared by all concurrent requests, and
 * `request` is called again with the new token.
 */
export async function withSession<T>(request: (headers: Record<string, string>) => Promise<T>): Promise<T> {
  const usedToken = session.accessToken
  try {
    return await request(headersWith(usedToken))
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401 && signedInRole())) throw error
    await refreshTokens(usedToken)
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

async function send<P extends Schema, Q extends Schema, B extends Schema>(
  endpoint: Endpoint<P, Q, B>,
  { params, query, body, file, signal }: CallInput<P, Q, B>,
  headers: Record<string, string>,
): Promise<unknown> {
  const request = wretch(urlOf(endpoint.path, params, query))
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
    throw new ApiError(error.status, parseMessage(error.message) ?? `The server answered ${error.status}`)
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

function urlOf(path: string, params: unknown, query: unknown): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  )
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return search ? `${filled}?${search}` : filled
}

let refreshing: Promise<void> | undefined

/** Resolves once there is a newer token than `used`. Concurrent callers share one refresh. */
function refreshTokens(used: string | null): Promise<void> {
  refreshing ??= refreshOnce(used).finally(() => {
    refreshing = undefined
  })
  return refreshing
}

async function refreshOnce(used: string | null): Promise<void> {
  // One refresh across all tabs: a tab that waited for the lock uses the tokens that another tab has stored.
  await withRefreshLock(async waited => {
    reloadSession()
    if (waited && session.accessToken === used) await otherTabRefreshed()
    if (session.accessToken !== used && signedInRole()) return
    try {
      const tokens = (await send(auth.refresh, {}, { 'refresh-token': session.refreshToken ?? '' })) as Tokens
      setSession({ ...sessionOf(tokens), login: session.login })
    } catch (error) {
      // An unreachable server does not end the session: the next call tries again.
      if (!(error instanceof ApiError && (error.status === 0 || error.status >= 500))) clearSession()
      throw error
    }
  })
}

/**
 * Runs the refresh under a lock that all tabs share. Web Locks need a secure context; without it each tab refreshes on
 * its own.
 */
async function withRefreshLock(run: (waited: boolean) => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return run(false)
  const free = await navigator.locks.request('permeate:refresh', { ifAvailable: true }, async lock => {
    if (lock) await run(false)
    return lock !== null
  })
  if (!free) await navigator.locks.request('permeate:refresh', () => run(true))
}

/** Milliseconds: another tab's stored values can arrive a little later than the lock that it releases. */
const storageEventTimeout = 500

/** Resolves once another tab has stored its tokens, or after `storageEventTimeout`. */
const otherTabRefreshed = (): Promise<void> =>
  new Promise(resolve => {
    const finish = () => {
      clearTimeout(timeout)
      window.removeEventListener('storage', finish)
      reloadSession()
      resolve()
    }
    const timeout = setTimeout(finish, storageEventTimeout)
    window.addEventListener('storage', finish)
  })

const sessionOf = (tokens: Tokens) => ({
  accessToken: tokens.access_token,
  refreshToken: tokens.refresh_token,
  userId: tokens.user_id,
  userRole: tokens.user_role,
})

/** Signs in and stores the session. Rejects with ApiError and leaves the session unchanged on failure. */
export async function signIn(login: string, password: string): Promise<void> {
  const tokens = await call(auth.login, { body: { login, password } })
  setSession({ ...sessionOf(tokens), login })
}
