/** Decides which calls are audited, which makes consoles reload the audit log, and which have idempotency keys. */
import { auth } from '../../src/api/contract/auth.ts'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import { notifications } from '../../src/api/contract/notifications.ts'
import { passkeys } from '../../src/api/contract/passkeys.ts'

/** Changes that are not audited. A challenge is not, because the call that uses it is. */
const unaudited = new Set<Endpoint>([auth.refresh, auth.startPasskey, passkeys.startProof, notifications.markSeen])

/** Returns whether an endpoint is audited: all but reads and `unaudited`. */
export const isAudited = (endpoint: Endpoint): boolean => endpoint.method !== 'GET' && !unaudited.has(endpoint)

const takesPreview = ({ query }: Endpoint): boolean => 'shape' in query && 'preview' in (query.shape as object)

/** Returns whether a call is a dry run, which changes nothing and so is neither audited nor published. */
export const isDryRun = (endpoint: Endpoint, query: unknown): boolean =>
  takesPreview(endpoint) && (query as { readonly preview?: unknown }).preview === 'true'

/** Returns whether a call may have an idempotency key: calls with a session that are audited. Others may be repeated. */
export const takesIdempotencyKey = (endpoint: Endpoint): boolean => isAudited(endpoint) && endpoint.roles !== 'public'
