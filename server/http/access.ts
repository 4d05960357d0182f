/** Finds out who calls, and whether the role may. */
import type { FastifyRequest } from 'fastify'
import { auth } from '../../src/api/contract/auth.ts'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import { passkeys } from '../../src/api/contract/passkeys.ts'
import { secondFactor } from '../../src/api/contract/secondFactor.ts'
import { findCaller, storeSeen, type Client, type FoundCaller } from '../auth/sessions.ts'
import { forbidden, HttpError } from '../core/errors.ts'
import type { Services } from '../endpoints/handler.ts'
import type { Queues } from './queues.ts'
import { inTurn } from './turns.ts'

/**
 * Authorizes a call and sets its caller, also for calls that are rejected, as the audit log needs it. The role is read
 * from the database on every call, so a change takes effect at once.
 */
export async function authorize(
  endpoint: Endpoint,
  request: FastifyRequest,
  services: Services,
  { access }: Queues,
): Promise<void> {
  if (endpoint.roles === 'public') return
  const caller = await inTurn(access, header(request, 'access-token'), () => callerOf(request, services))
  if (!caller) throw new HttpError(401, 'Please sign in')
  request.caller = caller
  if (lacksSecondFactor(caller, services) && !setUpCalls.has(endpoint)) throw new HttpError(401, setUpFirst)
  if (!endpoint.roles.includes(caller.role)) throw forbidden()
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

const lacksSecondFactor = ({ role, hasSecondFactor }: FoundCaller, { config }: Services): boolean =>
  !hasSecondFactor && config.secondFactorRoles.includes(role)

async function callerOf(request: FastifyRequest, { db, background, now }: Services): Promise<FoundCaller | undefined> {
  const token = header(request, 'access-token')
  const caller = token === '' ? undefined : await findCaller(db, token, now())
  // After the response, because a call must neither wait for it nor fail by it.
  if (caller?.isSeenOutdated)
    background.defer('Could not store when a session was last seen', () =>
      storeSeen(db, caller.session, now(), clientOf(request)),
    )
  return caller
}

/** Returns where a call comes from. */
export const clientOf = (request: FastifyRequest): Client => ({
  address: request.address,
  userAgent: header(request, 'user-agent'),
})

/** Returns whether the caller of a stream may still read it: the session goes on, and the role is the same. */
export async function isStillAuthorized(request: FastifyRequest, services: Services): Promise<boolean> {
  const caller = await callerOf(request, services)
  return caller !== undefined && caller.role === request.caller?.role && !lacksSecondFactor(caller, services)
}

/** Returns a header of a request; empty if there is none, or several. */
export function header(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}
