/**
 * The page that a person wanted when they were sent to the login: it is kept with the history entry of the login, and opens
 * once they have signed in.
 */
import { subscribe } from 'valtio/vanilla'
import { connection } from '../store/connection.ts'
import { owner, session, signedInRole } from '../store/session.ts'

interface RequestedPage {
  readonly requestedPath: string
  /** The account whose session ended on the page; null if the page was opened without a session, by anyone. */
  readonly userId: string | null
}

/** Whether an account has been signed in since this tab loaded the console. */
let hadSession = signedInRole() !== undefined
subscribe(session, () => {
  hadSession ||= signedInRole() !== undefined
})

/** Returns the current page with its parameters; undefined after a logout, when another person may sign in. */
export function requestedPage(): RequestedPage | undefined {
  if (hadSession && !connection.sessionEnded) return undefined
  // Not from the router, which does not know of the parameters that a screen writes.
  const { pathname, search, hash } = window.location
  return { requestedPath: pathname + search + hash, userId: hadSession ? owner.id : null }
}

/** Returns the path to open after signing in, from the state of the login's history entry; undefined if it names none. */
export function pathAfterSignIn(state: unknown): string | undefined {
  if (!isRequestedPage(state)) return undefined
  return state.userId === null || state.userId === session.userId ? state.requestedPath : undefined
}

const isRequestedPage = (state: unknown): state is RequestedPage =>
  typeof state === 'object' && state !== null && 'requestedPath' in state && 'userId' in state
