/** The history of changes: an addition to the specification's calls. */
import * as z from 'zod/mini'
import { auditColumns, outcomes } from '../../domain/columns/audit.ts'
import { accountRoles } from '../../domain/roles.ts'
import { listEndpoint, type Endpoint } from './endpoint.ts'
import { Id, Time } from './fields.ts'

/** An endpoint as the history names it. Paths are the specification's, so they outlast any name in the code. */
export const actionOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`

/** So many ids of a call are shown. */
export const maxIdsShown = 100

export const AuditEntry = z.object({
  _id: Id,
  at: Time,
  /** Whose session, or whose login; null where none is known. Login and role are as they were then. */
  account: z.nullable(Id),
  login: z.nullable(z.string()),
  role: z.nullable(z.enum(accountRoles)),
  /** As `actionOf` makes it: `DELETE /api/v3/vendors`. */
  action: z.string(),
  /** The first of the ids that the call named or made. */
  ids: z.array(z.string()).check(z.maxLength(maxIdsShown)),
  /** How many ids there are. */
  ids_count: z.number(),
  /** What was sent besides the ids, without passwords; empty where the input was refused. */
  values: z.record(z.string(), z.unknown()),
  address: z.string(),
  outcome: z.enum(outcomes),
  /** HTTP. */
  status: z.number(),
  /** Of a call on many: how many were done and how many failed. Of an upload: the rows made. */
  done: z.nullable(z.number()),
  failed: z.nullable(z.number()),
  /** Why it was refused, or why some failed; empty where all went well. */
  message: z.string(),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const audit = {
  list: listEndpoint({
    path: '/api/v3/audit',
    roles: ['admin'],
    summary: 'Every call that changed something or was refused, newest first unless sorted.',
    row: AuditEntry,
    columns: auditColumns,
    search: 'action',
  }),
}
