/** The one place that speaks to the server: token headers, the single refresh with its queue, errors. */
import wretch, { type WretchError } from 'wretch'
import type * as z from 'zod/mini'
import { connection } from '../store/connection.ts'
import { clearSession, rereadSession, session, setSession, signedInRole } from '../store/session.ts'
import { auth, type Tokens } from './contract/auth.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { ApiError, unreachable } from './errors.ts'
import { followCall, type EndedIds } from './progress.ts'

type Schema = z.core.$ZodType
export interface Input<P extends Schema, Q extends Schema, B extends Schema> {
  params?: z.input<P>
  query?: z.input<Q>
  body?: z.input<B>
  file?: File
  signal?: AbortSignal
  /** Hears of a call on many, while it goes on, of how many ids it has come to its end. */
  ended?: (ids: EndedIds) => void
}

/** Calls an endpoint and resolves with its `data`. Rejects with ApiError, or AbortError when `signal` fired. */
export async function call<P extends Schema, Q extends Schema, B extends Schema, A extends Schema>(
  endpoint: Endpoint<P, Q, B, A>,
  input: Input<P, Q, B> = {},
): Promise<z.output<A>> {
  const followed = input.ended && followCall(input.ended)
  const named: Record<string, string> = followed ? { 'progress-id': followed.id } : {}
  try {
    return (await withSession(headers => send(endpoint, input, { ...headers, ...named }))) as z.output<A>
  } finally {
    followed?.stop()
  }
}

/**
 * Sends something with the session's token. A 401 (an ApiError) starts one token refresh for all that got one; they are
 * sent again with the new token.
 */
export async function withSession<T>(sent: (headers: Record<string, string>) => Promise<T>): Promise<T> {
  const used = session.accessToken
  try {
    return await sent(headersWith(used))
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401 && signedInRole())) throw error
    await refreshed(used)
    return sent(headersWith(session.accessToken))
  }
}

/**
 * Calls an endpoint that takes a token of its own header in place of a session. Rejects with ApiError; nothing is
 * refreshed, because there is nothing to refresh.
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
  { params, query, body, file, signal }: Input<P, Q, B>,
  headers: Record<string, string>,
): Promise<unknown> {
  const request = wretch(addressOf(endpoint.path, params, query))
    .headers(headers)
    .options(signal ? { signal } : {})
  const form = new FormData()
  if (file) form.append('file', file)
  const loaded = file ? request.body(form) : endpoint.method === 'GET' ? request : request.json(body ?? {})
  try {
    const answer: unknown = await loaded.fetch(endpoint.method).json()
    connection.online = true
    return hasData(answer) ? answer.data : undefined
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    if (!isRefusal(error)) {
      connection.online = false
      throw new ApiError(0, unreachable)
    }
    connection.online = true
    throw new ApiError(error.status, messageIn(error.message) ?? `The server answered ${error.status}`)
  }
}

/** An answer that is not a success, as opposed to none at all. */
const isRefusal = (error: unknown): error is WretchError => error instanceof Error && 'response' in error

const hasData = (answer: unknown): answer is { data: unknown } =>
  typeof answer === 'object' && answer !== null && 'data' in answer

function messageIn(text: string): string | readonly string[] | undefined {
  try {
    const answer: unknown = JSON.parse(text)
    const message: unknown =
      typeof answer === 'object' && answer !== null && 'message' in answer ? answer.message : undefined
    if (typeof message === 'string') return message
    if (Array.isArray(message)) return message.map(String)
  } catch {
    // Not ours: a proxy's page, say. The status is all there is to tell.
  }
  return undefined
}

function addressOf(path: string, params: unknown, query: unknown): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  )
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search ? `${filled}?${search}` : filled
}

let refreshing: Promise<void> | undefined

/** Resolves once there is a newer token than `used`; every caller meanwhile waits for the same refresh. */
function refreshed(used: string | null): Promise<void> {
  refreshing ??= refreshOnce(used).finally(() => {
    refreshing = undefined
  })
  return refreshing
}

async function refreshOnce(used: string | null): Promise<void> {
  // One refresh across all tabs: who waited for the lock finds the tokens that another tab has brought.
  await exclusively(async waited => {
    rereadSession()
    if (waited && session.accessToken === used) await toldByOtherTab()
    if (session.accessToken !== used && signedInRole()) return
    try {
      const tokens = (await send(auth.refresh, {}, { 'refresh-token': session.refreshToken ?? '' })) as Tokens
      setSession({ ...sessionOf(tokens), login: session.login })
    } catch (error) {
      // Unreachable is no refusal: the session stays, and the next call tries again.
      if (!(error instanceof ApiError && (error.status === 0 || error.status >= 500))) clearSession()
      throw error
    }
  })
}

/** Web Locks exist in secure contexts only, so not on http:// by another name than localhost; there each tab refreshes by itself. */
async function exclusively(run: (waited: boolean) => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return run(false)
  const free = await navigator.locks.request('permeate:refresh', { ifAvailable: true }, async lock => {
    if (lock) await run(false)
    return lock !== null
  })
  if (!free) await navigator.locks.request('permeate:refresh', () => run(true))
}

/** Milliseconds; what one tab stores reaches another a little later than the lock that it gives back. */
const tellsWithin = 500

/** Resolves when another tab has stored its tokens, or has had the time to. */
const toldByOtherTab = (): Promise<void> =>
  new Promise(resolve => {
    const told = () => {
      clearTimeout(late)
      window.removeEventListener('storage', told)
      rereadSession()
      resolve()
    }
    const late = setTimeout(told, tellsWithin)
    window.addEventListener('storage', told)
  })

const sessionOf = (tokens: Tokens) => ({
  accessToken: tokens.access_token,
  refreshToken: tokens.refresh_token,
  userId: tokens.user_id,
  userRole: tokens.user_role,
})

/** Signs in, or rejects and changes nothing. */
export async function signIn(login: string, password: string): Promise<void> {
  const tokens = await call(auth.login, { body: { login, password } })
  setSession({ ...sessionOf(tokens), login })
}
