/** Who is signed in. */
import { proxy, useSnapshot } from 'valtio'
import * as z from 'zod/mini'
import { roles, type Role } from '../domain/roles.ts'
import { afterFirstRows } from './firstRows.ts'
import { followOtherTabs, persist, readStored } from './persist.ts'

export interface Session {
  accessToken: string | null
  refreshToken: string | null
  userId: string | null
  userRole: Role | null
  /** What the person typed to sign in; shown, never trusted. */
  login: string | null
}

const empty: Session = { accessToken: null, refreshToken: null, userId: null, userRole: null, login: null }
const text = z.nullable(z.string())
const Stored = z.partial(
  z.object({ accessToken: text, refreshToken: text, userId: text, userRole: z.nullable(z.enum(roles)), login: text }),
)

export const session = proxy<Session>({ ...empty })
persist('session', session, Stored)
// Listening opens a channel to the browser's storage, which takes longer than the first rows should wait.
void afterFirstRows().then(() => followOtherTabs('session', session, Stored))

/** Only with both tokens, the id and the role. */
export function signedInRole(of: Readonly<Session> = session): Role | undefined {
  return of.accessToken && of.refreshToken && of.userId && of.userRole ? of.userRole : undefined
}
export const useRole = (): Role | undefined => signedInRole(useSnapshot(session))

export function setSession(next: Session): void {
  Object.assign(session, next)
}
export function clearSession(): void {
  Object.assign(session, empty)
}
/** The newest tokens, which another tab may have written a moment ago. */
export function rereadSession(): void {
  Object.assign(session, readStored('session', Stored))
}

/** Whose work the stored lists and selection are; it outlives the session, so that signing in again goes on where one was. */
export const owner = proxy<{ id: string | null }>({ id: null })
persist('owner', owner, z.partial(z.object({ id: text })))
