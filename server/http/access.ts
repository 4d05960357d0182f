/** Finds out who calls, and whether the role may. */
import type { FastifyRequest } from 'fastify'
import { keyAccess, keyPrefix } from '../../src/api/contract/apiKeys.ts'
import { auth } from '../../src/api/contract/auth.ts'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import { passkeys } from '../../src/api/contract/passkeys.ts'
import { secondFactor } from '../../src/api/contract/secondFactor.ts'
import { findKeyCaller, storeKeyUse } from '../auth/apiKeys.ts'
import type { FoundCaller } from '../auth/callers.ts'
import { findCaller, storeSeen, type Client } from '../auth/sessions.ts'
import { countAttempt, keyLimit } from '../auth/throttle.ts'
import { isDryRun } from '../bus/audited.ts'
import { forbidden, HttpError } from '../core/errors.ts'
import type { WorkQueue } from '../core/workQueue.ts'
import type { CallerKey, Services } from '../endpoints/handler.ts'
import type { KnownTokens } from './knownTokens.ts'
import { inTurn } from './turns.ts'

/** The queue in which calls wait until it is found out who makes them, and their turns in it. */
export interface AccessTurns {
  readonly queue: WorkQueue
  readonly knownTokens: KnownTokens
}

/**
 * Authorizes a call and sets its caller, also for calls that are rejected, as the audit log needs it. The role is read
 * from the database on every call, so a change takes effect at once.
 */
export async function authorize(
  endpoint: Endpoint,
  request: FastifyRequest,
  services: Services,
  { queue, knownTokens }: AccessTurns,
): Promise<void> {
  if (endpoint.roles === 'public') return
  const credential = credentialOf(request)
  const turn = knownTokens.turnOf(request, credential.token)
  const caller = await inTurn(queue, turn, () => callerOf(request, services))
  knownTokens.note(credential.token, caller !== undefined)
  if (!caller) {
    if (!credential.isKey) throw new HttpError(401, 'Please sign in')
    await countAttempt(services.db, services.now(), keyLimit(request.address))
    throw new HttpError(401, 'This API key is not valid: it has expired, was revoked, or is mistyped')
  }
  request.caller = caller
  if (lacksSecondFactor(caller, services) && !setUpCalls.has(endpoint)) throw new HttpError(401, setUpFirst)
  if (!endpoint.roles.includes(caller.role)) throw forbidden()
  if (caller.key) checkKey(endpoint, request, caller.key)
}

/** Throws a 403 if the key may not make the call. A dry run changes nothing, so it only needs a key that may read. */
function checkKey(endpoint: Endpoint, { query }: FastifyRequest, { scope }: CallerKey): void {
  const needed = keyAccess(endpoint)
  if (needed === undefined)
    throw forbidden('API keys cannot be used for accounts and for signing in: use the console for that')
  if (needed === 'write' && scope === 'read' && !isDryRun(endpoint, query))
    throw forbidden('This API key can only read: this call needs one that can read and write')
}

const setUpFirst = 'This account needs a second factor: please sign in and set it up'
/** The calls that an account may make before it has the second factor that it needs. */
const setUpCalls = new Set<Endpoint>([
  secondFactor.status,
  secondFactor.start,
  secondFactor.confirm,
  passkeys.list,
  passkeys.start,
  passkeys.add,
  auth.logout,
])

const lacksSecondFactor = ({ role, key, hasSecondFactor }: FoundCaller, { config }: Services): boolean =>
  !hasSecondFactor && config.secondFactorRoles.includes(key?.accountRole ?? role)

/** What a call has to show who makes it: an access token, or an API key. */
interface Credential {
  /** Empty if there is none. */
  readonly token: string
  readonly isKey: boolean
}

/**
 * Returns the access token of a call, or the API key of one without. Other bearer tokens are ignored: a proxy may use them
 * for itself.
 */
function credentialOf(request: FastifyRequest): Credential {
  const token = header(request, 'access-token')
  const key = /^bearer +(\S+)$/i.exec(header(request, 'authorization'))?.[1] ?? ''
  return token === '' && key.startsWith(keyPrefix) ? { token: key, isKey: true } : { token, isKey: false }
}

async function callerOf(request: FastifyRequest, { db, background, now }: Services): Promise<FoundCaller | undefined> {
  const { token, isKey } = credentialOf(request)
  const find = isKey ? findKeyCaller : findCaller
  const caller = token === '' ? undefined : await find(db, token, now())
  // After the response, because a call must neither wait for it nor fail by it.
  if (caller?.isSeenOutdated)
    background.defer('Could not store when a session or key was last seen', () =>
      isKey ? storeKeyUse(db, caller.session, now()) : storeSeen(db, caller.session, now(), clientOf(request)),
    )
  return caller
}

/** Returns where a call comes from. */
export const clientOf = (request: FastifyRequest): Client => ({
  address: request.address,
  userAgent: header(request, 'user-agent'),
})

/** Returns whether the caller of a stream may still read it: the session or key is valid, and the role is the same. */
export async function isStillAuthorized(request: FastifyRequest, services: Services): Promise<boolean> {
  const caller = await callerOf(request, services)
  return caller !== undefined && caller.role === request.caller?.role && !lacksSecondFactor(caller, services)
}

/** Returns a header of a request; empty if there is none, or several. */
export function header(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}
