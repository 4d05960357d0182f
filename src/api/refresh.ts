/** Refreshes the session's tokens: one refresh at a time across all tabs, repeated while the server does not answer. */
import { subscribe } from 'valtio/vanilla'
import { backoffDelay, sleep } from '../domain/lib/retry.ts'
import { connection } from '../store/connection.ts'
import { clearSession, reloadSession, session, signedInRole, storeTokens } from '../store/session.ts'
import { auth, type Tokens } from './contract/auth.ts'
import { ApiError } from './errors.ts'
import { send } from './send.ts'

const sessionEnded = 'The session has ended. Sign in again'
/** Milliseconds; so short that the second attempt is still in the time for which the server accepts the old token. */
const refreshTimeout = 5_000
const firstRefreshPause = 4_000

/** The attempt that calls wait for: the running one, or after one without an answer the next. */
let nextAttempt: Promise<void> | undefined

/**
 * Resolves once there is a newer token than `used`. Concurrent calls share one attempt. Rejects with ApiError: status 0 if
 * the server did not answer; otherwise 401, and the session has been cleared. Rejects with the signal's reason if it is
 * aborted. While the server does not answer, the refresh is tried again after growing pauses, and further calls wait for
 * the next attempt.
 */
export function refreshTokens(used: string | null, signal?: AbortSignal): Promise<void> {
  nextAttempt ??= attemptRefresh(used, 0)
  return orAborted(nextAttempt, signal)
}

/** Resolves or rejects like `promise`; rejects with the signal's reason if it is aborted before. */
function orAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** `retries`: the number of attempts without an answer so far. */
async function attemptRefresh(used: string | null, retries: number): Promise<void> {
  let isUnanswered = false
  try {
    await refreshOnce(used)
  } catch (error) {
    isUnanswered = error instanceof ApiError && error.status === 0
    throw error
  } finally {
    connection.refreshUnanswered = isUnanswered
    nextAttempt = isUnanswered ? refreshPause(retries).then(() => attemptRefresh(used, retries + 1)) : undefined
    // Nobody may be waiting for the next attempt.
    nextAttempt?.catch(() => undefined)
  }
}

/** Resolves before the next attempt; earlier if the network is back, or the session has changed or ended. */
async function refreshPause(retries: number): Promise<void> {
  const end = new AbortController()
  const unsubscribe = subscribe(session, () => end.abort())
  window.addEventListener('online', () => end.abort(), { signal: end.signal })
  await sleep(backoffDelay(firstRefreshPause, retries), end.signal).catch(() => undefined)
  unsubscribe()
  end.abort()
}

async function refreshOnce(used: string | null): Promise<void> {
  // One refresh across all tabs: a tab that waited for the lock uses the tokens that another tab has stored.
  await withRefreshLock(async waited => {
    reloadSession()
    if (waited && session.accessToken === used) await otherTabRefreshed()
    if (!signedInRole()) throw new ApiError(401, sessionEnded)
    if (session.accessToken !== used) return
    const { refreshToken, login } = session
    // Meanwhile the person may have logged out.
    const isCurrent = () => session.refreshToken === refreshToken
    try {
      const signal = AbortSignal.timeout(refreshTimeout)
      const tokens = (await send(auth.refresh, { signal }, { 'refresh-token': refreshToken ?? '' })) as Tokens
      if (isCurrent()) storeTokens(tokens, login)
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) throw error
      if (isCurrent()) {
        clearSession()
        connection.sessionEnded = true
      }
      throw error instanceof ApiError && error.status === 401 ? error : new ApiError(401, sessionEnded)
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
