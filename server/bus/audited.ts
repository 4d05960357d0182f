/** Decides which calls are audited. An audited call also makes consoles reload the audit log. */
import { auth } from '../../src/api/contract/auth.ts'
import { PreviewQuery, type Endpoint } from '../../src/api/contract/endpoint.ts'
import { notifications } from '../../src/api/contract/notifications.ts'

/** Returns whether an endpoint is audited: all but reads, token refreshes and marking notifications as seen. */
export const isAudited = (endpoint: Endpoint): boolean =>
  endpoint.method !== 'GET' && endpoint !== auth.refresh && endpoint !== notifications.markSeen

/** Returns whether a call is a dry run, which changes nothing and so is neither audited nor published. */
export const isDryRun = (endpoint: Endpoint, query: unknown): boolean =>
  endpoint.query === PreviewQuery && (query as { readonly preview?: unknown }).preview === 'true'
