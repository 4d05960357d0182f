/** The audit log of changes, an addition to the specification's endpoints. */
import * as z from 'zod/mini'
import { auditColumns, outcomes } from '../../domain/columns/audit.ts'
import { accountRoles } from '../../domain/roles.ts'
import { listDefinitions } from '../../domain/lists/lists.ts'
import { listEndpoint, type Endpoint } from './endpoint.ts'
import { Id, Time } from './fields.ts'

/** Returns the name of an endpoint in the audit log: its method and path, which do not change when code is renamed. */
export const actionOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`

/** What an entry of a sign-in has as `factor` in its values: `pending` if it still needed more than the password. */
export type SignInFactor = 'password' | 'pending' | 'authenticator' | 'recovery code' | 'passkey'

/** The maximum number of ids in an entry. */
export const maxAuditIds = 100

export const AuditEntry = z.object({
  _id: Id,
  /** When the call began; of counted calls, the first one. */
  at: Time,
  /** The account of the session or login; null if unknown. Login and role are those at the time. */
  account: z.nullable(Id),
  login: z.nullable(z.string()),
  role: z.nullable(z.enum(accountRoles)),
  /** The name of the API key that the call was made with; null for a session. */
  key: z.nullable(z.string()),
  /** The result of `actionOf`, such as `DELETE /api/v3/vendors`. */
  action: z.string(),
  /** What the call did, such as `Deleted vendors`; the action if it has no title. */
  title: z.string(),
  /** The first ids that the call acted on or created. */
  ids: z.array(z.string()).check(z.maxLength(maxAuditIds)),
  /** The number of all ids. */
  ids_count: z.number(),
  /**
   * The input besides the ids, without passwords; empty if the input was refused. Of a sign-in its `factor`, of a call with
   * an API key its id and name as `api_key`.
   */
  values: z.record(z.string(), z.unknown()),
  address: z.string(),
  outcome: z.enum(outcomes),
  /** HTTP status; 0 before the outcome. */
  status: z.number(),
  /** For a bulk call, the ids done and failed; for an upload, `done` is the number of rows created. */
  done: z.nullable(z.number()),
  failed: z.nullable(z.number()),
  /** Why the call was refused or some ids failed; otherwise empty. */
  message: z.string(),
  /** The number of calls without a session that the entry stands for; null for an entry of one call. */
  count: z.nullable(z.number()),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const audit = {
  list: listEndpoint({
    ...listDefinitions.audit.endpoint,
    roles: ['admin'],
    summary: 'The audit log: calls that changed something or were refused, newest first unless sorted.',
    row: AuditEntry,
    columns: auditColumns,
  }),
}
