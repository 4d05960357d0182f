/** Which calls are changes that a person makes: they are in the history, and whoever shows that is told. */
import { auth } from '../../src/api/contract/auth.ts'
import { PreviewQuery, type Endpoint } from '../../src/api/contract/endpoint.ts'
import { notifications } from '../../src/api/contract/notifications.ts'

/** Reads change nothing, refreshing is how a session goes on, and looking at notifications is no more than reading them. */
export const isAudited = (endpoint: Endpoint): boolean =>
  endpoint.method !== 'GET' && endpoint !== auth.refresh && endpoint !== notifications.markSeen

/** Whether a call only asks what it would do: then it does nothing, so there is nothing to record or to tell. */
export const isDryRun = (endpoint: Endpoint, query: unknown): boolean =>
  endpoint.query === PreviewQuery && (query as { readonly preview?: unknown }).preview === 'true'
