/** The session of the signed-in account. */
import { proxy, useSnapshot } from 'valtio'
import type { Tokens } from '../api/contract/auth.ts'
import { isOneOf, isText, orNull, type Checks } from '../domain/lib/checks.ts'
import { roles, type Role } from '../domain/roles.ts'
import { afterFirstRows } from './firstRows.ts'
import { syncWithOtherTabs, persist, readStored } from './persist.ts'

export interface Session {
  accessToken: string | null
  refreshToken: string | null
  userId: string | null
  userRole: Role | null
  /** The login typed to sign in; for display only, never trusted. */
  login: string | null
}

const empty: Session = { accessToken: null, refreshToken: null, userId: null, userRole: null, login: null }
const text = orNull(isText)
const stored: Checks<Session> = {
  accessToken: text,
  refreshToken: text,
  userId: text,
  userRole: orNull(isOneOf(roles)),
  login: text,
}

export const session = proxy<Session>({ ...empty })
persist('session', session, stored)
// Deferred because the first `storage` listener opens a channel to the browser's storage, which is slow.
void afterFirstRows().then(() => syncWithOtherTabs('session', session, stored))

/** Returns the role; undefined unless both tokens, the id and the role are present. */
export function signedInRole(state: Readonly<Session> = session): Role | undefined {
  return state.accessToken && state.refreshToken && state.userId && state.userRole ? state.userRole : undefined
}
export const useRole = (): Role | undefined => signedInRole(useSnapshot(session))

export function setSession(next: Session): void {
  Object.assign(session, next)
}
/** Stores the tokens that a sign-in or a refresh returned. */
export function storeTokens(tokens: Tokens, login: string | null): void {
  setSession({
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    userId: tokens.user_id,
    userRole: tokens.user_role,
    login,
  })
}
export function clearSession(): void {
  Object.assign(session, empty)
}
/** Reads the stored session again, which another tab may have changed. */
export function reloadSession(): void {
  Object.assign(session, readStored('session', stored))
}

/**
 * The account that owns the stored lists and selection. It survives the session, so that signing in again resumes the
 * work.
 */
export const owner = proxy<{ id: string | null }>({ id: null })
persist('owner', owner, { id: text })

/** Counts the resets of a person’s state, so that surfaces remove what they still show of it. */
export const userResets = proxy({ count: 0 })
